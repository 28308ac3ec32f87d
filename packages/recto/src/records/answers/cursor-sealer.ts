import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;

/** Longer ones are not ours: 16 sort terms of 1,000 characters each would not fill it. */
const maxLength = 16_384;

/**
 * Seals places in a list into cursors that clients send back. A cursor is encrypted, so that the values by which a list is
 * sorted stay hidden, and authenticated, so that only cursors of this service are accepted (AES-256-GCM, NIST SP 800-38D).
 * The nonce is an HMAC of the content: the same place in the same list gives the same cursor, so an answer's ETag is stable.
 */
export class CursorSealer {
  readonly #key: Buffer;
  readonly #nonceKey: Buffer;

  /** `secret`: what the service signs its tokens with. Machines that share it read each other's cursors. */
  constructor(secret: string) {
    const keys = Buffer.from(hkdfSync('sha256', secret, '', 'recto list cursors', 64));
    this.#key = keys.subarray(0, 32);
    this.#nonceKey = keys.subarray(32);
  }

  /** A cursor (base64url) for `content`, which only opens for the same `list`. */
  seal(list: string, content: string): string {
    const nonce = createHmac('sha256', this.#nonceKey)
      .update(`${list.length}:${list}`)
      .update(content)
      .digest()
      .subarray(0, nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(list));
    const sealed = [nonce, cipher.update(content, 'utf8'), cipher.final()];
    return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** What was sealed; undefined for anything that this service did not seal for this list. */
  open(list: string, cursor: string): string | undefined {
    if (cursor.length > maxLength || !/^[\w-]+$/.test(cursor)) return undefined;
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.length < nonceBytes + tagBytes) return undefined;
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(list))
      .setAuthTag(bytes.subarray(-tagBytes));
    try {
      const content = decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8');
      return content + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}
