import type { FieldFault } from '../base/problem.ts';

export const passwordMinLength = 8;
/** Limits the cost of hashing; far longer than any passphrase. */
export const passwordMaxBytes = 1024;

/** The error in a new password; undefined when it is acceptable. Length counts code points, as NIST SP 800-63B does. */
export function passwordFault(password: string, field: string): FieldFault | undefined {
  if ([...password].length < passwordMinLength)
    return { field, code: 'too_short', message: `A password has at least ${passwordMinLength} characters.` };
  if (Buffer.byteLength(password) > passwordMaxBytes)
    return { field, code: 'too_long', message: `A password has at most ${passwordMaxBytes} bytes.` };
  return undefined;
}
