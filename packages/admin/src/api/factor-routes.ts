import { session } from '../app/session.svelte.ts';
import type { FactorMethod } from './sign-in-offer.ts';

/** The routes of the own second factors, passkeys and identities, as `docs/` has them. Each function is one request. */

/** What the own account is protected with. */
export interface FactorState {
  readonly totp: boolean;
  readonly passkeys: number;
  /** How many of them are left. */
  readonly recovery_codes: number;
  /** The site demands a second factor of this account. */
  readonly required: boolean;
  /** Until when it may still be missing; null: now, or it is not demanded. */
  readonly due_at: string | null;
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** Whether it is kept in an account of its maker, and so on several devices. */
  readonly backed_up: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export interface TotpSecret {
  /** For those who type it. */
  readonly secret: string;
  readonly uri: string;
  /** The text of an SVG. */
  readonly qr: string;
}

export interface RecoveryCodes {
  readonly recovery_codes: readonly string[];
}

/** An account at a provider, such as Google, that signs in to this one. */
export interface Identity {
  readonly id: string;
  readonly provider: string;
  readonly label: string;
  readonly email: string | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export interface StepUpOptions {
  readonly methods: readonly ('password' | FactorMethod)[];
  readonly challenge: string;
  readonly options?: PublicKeyCredentialRequestOptionsJSON;
}

const own = '/auth/me';
const get = <Body>(path: string, signal: AbortSignal): Promise<Body> => session.client.request('GET', path, { signal });
const send = <Body>(method: string, path: string, body: object = {}): Promise<Body> =>
  session.client.request(method, path, method === 'DELETE' ? {} : { body });

/**
 * The client takes each 401 for the end of the session: it would renew it, and send a wrong code once more, which counts twice.
 */
async function withoutRenewal(request: Request): Promise<Response> {
  const response = await fetch(request);
  if (response.status !== 401) return response;
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => ({}));
  const isCode =
    typeof problem === 'object' && problem !== null && 'code' in problem && problem.code === 'invalid_code';
  return isCode ? new Response(response.body, { status: 403, headers: response.headers }) : response;
}

export const factorRoutes = {
  state: (signal: AbortSignal) => get<FactorState>(`${own}/second-factors`, signal),

  beginTotp: () => send<TotpSecret>('POST', `${own}/totp`),
  confirmTotp: (code: string) => send<RecoveryCodes>('POST', `${own}/totp/confirm`, { code }),
  removeTotp: () => send<void>('DELETE', `${own}/totp`),
  newRecoveryCodes: () => send<RecoveryCodes>('POST', `${own}/recovery-codes`),

  passkeys: (signal: AbortSignal) => get<{ readonly items: readonly Passkey[] }>(`${own}/passkeys`, signal),
  passkeyOptions: () =>
    send<{ readonly challenge: string; readonly options: PublicKeyCredentialCreationOptionsJSON }>(
      'POST',
      `${own}/passkeys/options`,
    ),
  addPasskey: (made: { readonly challenge: string; readonly response: unknown; readonly name: string }) =>
    send<{ readonly passkey: Passkey } & Partial<RecoveryCodes>>('POST', `${own}/passkeys`, made),
  renamePasskey: (id: string, name: string) => send<Passkey>('PUT', `${own}/passkeys/${id}`, { name }),
  removePasskey: (id: string) => send<void>('DELETE', `${own}/passkeys/${id}`),

  identities: (signal: AbortSignal) => get<{ readonly items: readonly Identity[] }>(`${own}/identities`, signal),
  beginLink: (provider: string, challenge: string) =>
    send<{ readonly url: string }>('POST', `${own}/identities/${encodeURIComponent(provider)}`, {
      challenge,
      return_to: `${location.origin}/admin/profile`,
    }),
  link: (code: string, verifier: string) => send<Identity>('POST', `${own}/identities`, { code, verifier }),
  unlink: (id: string) => send<void>('DELETE', `${own}/identities/${id}`),

  stepUpOptions: () => send<StepUpOptions>('POST', `${own}/step-up/options`),
  stepUp: (proof: object) =>
    session.client.request<void>('POST', `${own}/step-up`, { body: proof, fetch: withoutRenewal }),
} as const;
