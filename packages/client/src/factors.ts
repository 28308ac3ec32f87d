import type { Account, AddedPasskey, Factors, PasskeyChallenge, StepUpOptions } from './auth.ts';
import type { CallOptions, Send } from './transport.ts';

/** What of a browser passkeys need. */
interface Browser {
  readonly PublicKeyCredential: {
    parseRequestOptionsFromJSON(options: object): unknown;
    parseCreationOptionsFromJSON(options: object): unknown;
  };
  readonly navigator: {
    readonly credentials: Readonly<Record<'get' | 'create', (asked: object) => Promise<{ toJSON(): object }>>>;
  };
}

/** Whatever runs the client: only pages have it. */
const here = (): Browser => globalThis as unknown as Browser;

/** Has the browser ask for a passkey. Throws what the browser does, such as a `NotAllowedError` for a person who closes its window. */
const askPasskey = async (options: object = {}, asked: object = {}): Promise<object> => {
  const publicKey = here().PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return (await here().navigator.credentials.get({ ...asked, publicKey })).toJSON();
};

const makePasskey = async (options: object): Promise<object> => {
  const publicKey = here().PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return (await here().navigator.credentials.create({ publicKey })).toJSON();
};

type Enter = (body: object, options?: CallOptions) => Promise<Account>;

/** The calls for second factors and passkeys. `entering` signs in with what a route returns. */
export function factorCalls([anonymous, send]: readonly [Send, Send], entering: (path: string) => Enter): Factors {
  const second = entering('/auth/second-factor');
  const own = '/auth/me/passkeys';
  const totp = '/auth/me/totp';
  const one = (id: string) => `${own}/${encodeURIComponent(id)}`;
  const stepUp = (body: object, options?: CallOptions) => send<void>('POST', '/auth/me/step-up', { ...options, body });
  const stepUpOptions = (options?: CallOptions) => send<StepUpOptions>('POST', '/auth/me/step-up/options', options);
  const codes = async (path: string, options?: CallOptions & { readonly body?: object }) =>
    (await send<{ recovery_codes: [] }>('POST', path, options)).recovery_codes;
  return {
    async signInWithPasskey({ mediation, signal, ...options } = {}) {
      const given = { ...options, ...(signal && { signal }) };
      const { challenge, options: asked } = await anonymous<PasskeyChallenge>('POST', '/auth/passkeys/options', given);
      const response = await askPasskey(asked, { mediation, signal });
      return entering('/auth/passkeys/login')({ challenge, response }, given);
    },
    secondFactor: second,
    secondFactorWithPasskey: async ({ challenge, options: asked }, options) =>
      second({ challenge, method: 'passkey', response: await askPasskey(asked) }, options),
    secondFactors: (options) => send('GET', '/auth/me/second-factors', options),
    stepUp,
    stepUpOptions,
    async stepUpWithPasskey(options) {
      const { challenge, options: asked } = await stepUpOptions(options);
      await stepUp({ method: 'passkey', challenge, response: await askPasskey(asked) }, options);
    },
    newRecoveryCodes: (options) => codes('/auth/me/recovery-codes', options),
    totp: {
      begin: (options) => send('POST', totp, options),
      confirm: (code, options) => codes(`${totp}/confirm`, { ...options, body: { code } }),
      remove: (options) => send('DELETE', totp, options),
    },
    passkeys: {
      list: async (options) => (await send<{ items: [] }>('GET', own, options)).items,
      async add(name, options) {
        const { challenge, options: asked } = await send<PasskeyChallenge>('POST', `${own}/options`, options);
        const body = { challenge, response: await makePasskey(asked), name };
        return send<AddedPasskey>('POST', own, { ...options, body });
      },
      rename: (id, name, options) => send('PUT', one(id), { ...options, body: { name } }),
      remove: (id, options) => send('DELETE', one(id), options),
    },
  };
}
