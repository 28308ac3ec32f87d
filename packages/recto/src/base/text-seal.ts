import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts what the service has to read again, such as the secret of an app that shows codes (AES-GCM, NIST SP 800-38D). The key follows
 * from RECTO_SECRET, which no database and no copy of one has. A sealed text opens for the owner alone that it was sealed for.
 */
export class TextSeal {
  readonly #secret: string;
  readonly #purpose: string;
  #key: Buffer | undefined;

  /** `secret`: RECTO_SECRET. `purpose`: what is sealed; what is sealed for one purpose does not open for another. */
  constructor(secret: string, purpose: string) {
    this.#secret = secret;
    this.#purpose = purpose;
  }

  seal(text: string, owner: string): string {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.#keyBytes(), nonce, { authTagLength: tagBytes });
    sealing.setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
    return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64url');
  }

  /** The text; undefined where it was sealed with another secret, for another purpose or owner, or has been changed. */
  open(sealed: string, owner: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < nonceBytes + tagBytes) return undefined;
    const opening = createDecipheriv(cipher, this.#keyBytes(), bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    opening.setAAD(Buffer.from(owner));
    opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    try {
      return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  /** RFC 5869. Tokens are signed with the secret itself, so this key is another one. */
  #keyBytes(): Buffer {
    this.#key ??= Buffer.from(hkdfSync('sha256', this.#secret, 'recto', this.#purpose, 32));
    return this.#key;
  }
}
