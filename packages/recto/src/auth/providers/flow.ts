import { randomBytes } from 'node:crypto';
import { TextSeal } from '../../base/text-seal.ts';

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

/** A browser keeps no longer cookies. */
const longest = 4096;

/** Seals flows into cookies: whoever has the cookie can neither read nor change it. */
export class FlowSealer {
  readonly #seal: TextSeal;

  /** `secret`: RECTO_SECRET. */
  constructor(secret: string) {
    this.#seal = new TextSeal(secret, 'sign-in flows');
  }

  seal(flow: Flow): string {
    return this.#seal.seal(JSON.stringify(flow), 'cookie');
  }

  /** The flow; undefined for what this service has not sealed, and for one that began too long ago. */
  open(sealed: string, now: number): Flow | undefined {
    if (sealed.length > longest || !/^[\w-]+$/.test(sealed)) return undefined;
    const text = this.#seal.open(sealed, 'cookie');
    if (text === undefined) return undefined;
    // Sealed by `seal`, as its opening has shown.
    const flow = JSON.parse(text) as Flow;
    return now - flow.startedAt < flowSeconds * 1000 ? flow : undefined;
  }
}

/** A new secret of a flow. */
export const flowSecret = (): string => randomBytes(32).toString('base64url');
