import type { EmailAddress } from '../../base/email-address.ts';

/**
 * Whether two addresses are one mailbox to every mail server. The key of an account takes more spellings for one, such as letters of
 * full width: enough for "taken", and too many for "yours".
 */
export function sameMailbox(one: EmailAddress, other: EmailAddress): boolean {
  return one.key === other.key && localPart(one) === localPart(other);
}

const localPart = ({ address }: EmailAddress): string =>
  address.slice(0, address.lastIndexOf('@')).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
