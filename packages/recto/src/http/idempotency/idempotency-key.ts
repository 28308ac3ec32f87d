import { badRequest } from '../../base/problem.ts';

/** Characters that a key may have. */
export const longestKey = 255;

/** Visible ASCII without what separates header values; a header that is sent twice has a comma. */
const bareKey = String.raw`[!#-+\--:<-[\]-~]{1,${longestKey}}`;

/** The header's value: a key, in double quotes or without. */
export const keyPattern = `^(?:"${bareKey}"|${bareKey})$`;

const shape = new RegExp(keyPattern);

/**
 * The value of `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header, section 2.1: a string in double quotes), null for none.
 * Taken without the quotes too, as many clients send it. 400 `invalid_idempotency_key` for anything else.
 */
export function idempotencyKey(headers: Headers): string | null {
  const sent = headers.get('idempotency-key');
  if (sent === null) return null;
  if (shape.test(sent)) return sent.replaceAll('"', '');
  throw badRequest(
    'invalid_idempotency_key',
    `Idempotency-Key must be 1 to ${longestKey} letters, digits or other visible ASCII characters, without quotes, commas, semicolons or backslashes within.`,
  );
}

/** Whether a key cannot be guessed: a UUID of version 4 or 7 (RFC 9562), with 122 or 74 random bits. */
export const isRandom = (key: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(key);
