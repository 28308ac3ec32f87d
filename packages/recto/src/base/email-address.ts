import { domainToASCII } from 'node:url';
import { hasInvisible } from './invisible-characters.ts';

/** RFC 5321, section 4.5.3.1: octets of an address (a path without its brackets) and of its local part. */
export const longestEmail = 254;
const maxLocalOctets = 64;

// RFC 5321's dot-string, with the letters of all scripts as RFC 6531 adds them. Quoted local parts are not accepted.
const localPart = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/**
 * Letters and digits of all scripts, with the dots that separate labels anywhere. The reader below is that of URLs, which would decode
 * `%6d`, drop `/x` and line breaks, and take `1.2` for a number.
 */
const hostText = /^[\p{L}\p{N}\p{M}\u00b7\u30fb.\u3002\uff0e\uff61-]+$/u;
const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export interface EmailAddress {
  /** The input, trimmed. */
  readonly address: string;
  /** The key that all spellings of a mailbox share: case folded, Unicode normalised, the domain in its ASCII form (RFC 5890). */
  readonly key: string;
}

/**
 * Reads an email address; undefined when it is invalid. The domain needs a dot: a bare host name is nearly always a mistake. Invisible
 * characters are rejected everywhere: in a domain they would be ignored, elsewhere two addresses could look the same.
 */
export function parseEmail(text: string): EmailAddress | undefined {
  const address = text.trim().normalize('NFC');
  if (hasInvisible(address)) return undefined;
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  if (Buffer.byteLength(local) > maxLocalOctets || !localPart.test(local)) return undefined;
  const host = address.slice(at + 1);
  if (!hostText.test(host)) return undefined;
  const domain = domainToASCII(host).toLowerCase();
  const labels = domain.split('.');
  if (labels.length < 2 || !labels.every((label) => hostLabel.test(label))) return undefined;
  // The last label of a host's name is not numeric (RFC 3696, section 2).
  if (/^\d+$/.test(labels.at(-1) ?? '')) return undefined;
  if (Buffer.byteLength(address) > longestEmail) return undefined;
  return { address, key: `${foldKey(local)}@${domain}` };
}

/** Folds text for uniqueness checks: ignores case and compatibility forms. */
export function foldKey(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}
