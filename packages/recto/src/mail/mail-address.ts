import { domainToASCII } from 'node:url';
import { type EmailAddress, parseEmail } from '../base/email-address.ts';

/** An address that a mail may be sent to: made by `mailAddress` alone. */
export interface MailAddress {
  /** The local part as it was written, and the domain in its ASCII form. */
  readonly address: string;
}

/**
 * Reads the one address that a mail goes to; undefined for anything else. It takes what an account's address may be, and so no
 * quoted local part, no second address, no name, no line break: parsers of mail programs disagree about those. The domain is sent in
 * the ASCII form by which addresses are compared, so that no other spelling leads elsewhere.
 */
export function mailAddress(text: string): MailAddress | undefined {
  const email = parseEmail(text);
  return email === undefined ? undefined : asciiDomain(email);
}

/** The same for an address that was read before. */
export function asciiDomain({ address }: EmailAddress): MailAddress {
  const at = address.lastIndexOf('@');
  return { address: `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1)).toLowerCase()}` };
}
