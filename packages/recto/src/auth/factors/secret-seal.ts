import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts what the service has to read again, such as the secret of an app that shows codes (AES-GCM, RFC 5116). The key follows from
 * RECTO_SECRET, which no database and no copy of one has. A sealed text opens for the owner alone that it was sealed for.
 */
export class SecretSeal {
  readonly #secret: string;
  #key: Buffer | undefined;

  constructor(secret: string) {
    this.#secret = secret;
  }

  seal(text: string, owner: string): string {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.#keyBytes(), nonce, { authTagLength: tagBytes });
    sealing.setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
    return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64url');
  }

  /** The text; undefined where it was sealed with another RECTO_SECRET or for another owner, or has been changed. */
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
    this.#key ??= Buffer.from(hkdfSync('sha256', this.#secret, 'recto', 'sealed secrets of second factors', 32));
    return this.#key;
  }
}
