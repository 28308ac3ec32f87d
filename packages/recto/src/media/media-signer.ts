import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** What an address carries that lets anyone get a private file for a while. */
export interface MediaSignature {
  /** Seconds since 1970. */
  readonly expires: number;
  readonly signature: string;
}

/** Signs addresses of private files and their variants, for `<img>` and other places that send no token. */
export class MediaSigner {
  readonly #key: Buffer;

  /** `secret`: what the service signs its tokens with. */
  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'recto media addresses', 32));
  }

  sign(id: string, expires: number): MediaSignature {
    return { expires, signature: this.#signature(id, expires).toString('base64url') };
  }

  /** `now`: milliseconds since 1970. */
  accepts(id: string, { expires, signature }: MediaSignature, now: number): boolean {
    if (!Number.isSafeInteger(expires) || expires * 1000 <= now) return false;
    const sent = Buffer.from(signature, 'base64url');
    const own = this.#signature(id, expires);
    return sent.length === own.length && timingSafeEqual(sent, own);
  }

  #signature(id: string, expires: number): Buffer {
    return createHmac('sha256', this.#key).update(`${id} ${expires}`).digest();
  }
}
