import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What somebody goes to a provider for. */
export const flowPurposes = ['sign_in', 'admin', 'link'] as const;
export type FlowPurpose = (typeof flowPurposes)[number];

/** A way to a provider and back, kept by the browser that went it. */
export interface Flow {
  readonly provider: string;
  readonly purpose: FlowPurpose;
  /** What the provider has to send back. */
  readonly state: string;
  /** What its ID token has to name. */
  readonly nonce: string;
  /** The verifier of PKCE (RFC 7636): a code of the provider that was stolen on its way is of no use. */
  readonly verifier: string;
  /** The page that it ends at, checked. */
  readonly returnTo: string;
  /** What the page has to know the verifier of. */
  readonly challenge: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** How long somebody may be at the provider, in seconds. */
export const flowSeconds = 600;

const nonceBytes = 12;
const tagBytes = 16;
/** A browser keeps no longer cookies. */
const longest = 4096;

/** Seals flows into cookies: whoever has the cookie can neither read nor change it (AES-256-GCM, NIST SP 800-38D). */
export class FlowSealer {
  readonly #key: Buffer;

  /** `secret`: what the service signs its tokens with. */
  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'recto sign-in flows', 32));
  }

  seal(flow: Flow): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const sealed = [nonce, cipher.update(JSON.stringify(flow), 'utf8'), cipher.final()];
    return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** The flow; undefined for what this service has not sealed, and for one that began too long ago. */
  open(sealed: string, now: number): Flow | undefined {
    if (sealed.length > longest || !/^[\w-]+$/.test(sealed)) return undefined;
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < nonceBytes + tagBytes) return undefined;
    const options = { authTagLength: tagBytes };
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, nonceBytes), options);
    try {
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
      // Sealed by `seal`, as the tag has shown.
      const flow = JSON.parse(text) as Flow;
      return now - flow.startedAt < flowSeconds * 1000 ? flow : undefined;
    } catch {
      return undefined;
    }
  }
}

/** A new secret of a flow. */
export const flowSecret = (): string => randomBytes(32).toString('base64url');
