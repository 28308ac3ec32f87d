import type { Account, Auth, CodeChallenge } from './auth.ts';
import { factorCalls } from './factors.ts';
import { providerCalls } from './providers.ts';
import { statusOf } from './recto-error.ts';
import { type LockStorage, storageLock } from './storage-lock.ts';
import { type CallOptions, type RequestOptions, type Send, sleep, type TokenSource } from './transport.ts';

/** The tokens of a session. */
export interface Tokens {
  readonly access_token: string;
  /** Absent where the browser keeps it in a cookie. */
  readonly refresh_token?: string | undefined;
  /** When the access token ends, in milliseconds since 1970, by the clock of this machine. */
  readonly expires_at: number;
}

/** Where a session is kept. All clients that share a store share the session. */
export interface SessionStore {
  /** Its name, the same in all tabs: one of them refreshes at a time. Absent: nobody else uses it. */
  readonly name?: string;
  load(): Tokens | null | Promise<Tokens | null>;
  save(tokens: Tokens | null): void | Promise<void>;
  /** Runs a task that no other user of the store runs at the same time, where `navigator.locks` is missing. */
  exclusive?<Result>(task: () => Promise<Result>): Promise<Result>;
}

interface SignedIn {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly user: Account;
}

/** The access token of a client, renewed when it ends, and signing in and out. `anonymous` sends no access tokens. */
export function createSession(anonymous: Send, kept: SessionStore | 'cookie', url = ''): Session {
  const inCookie = kept === 'cookie';
  const store: SessionStore = inCookie
    ? {
        ...inMemory(),
        name: 'recto',
        // Tabs share the cookie, which may be used once. Pages without TLS have no `navigator.locks`.
        exclusive(task) {
          // Only browsers have it, and not for every page.
          const { localStorage: storage } = globalThis as { readonly localStorage?: LockStorage };
          return storage ? storageLock(storage, 'recto.lock')(task) : task();
        },
      }
    : kept;
  const mode = inCookie && { session: kept };
  // A token that ends within ten seconds is renewed first.
  const lasts = (tokens: Tokens): boolean => tokens.expires_at - Date.now() > 10_000;
  let renewing: Promise<Tokens | null> | undefined;
  let ended: (() => void) | undefined;
  /** Whether somebody waits for the renewal that is under way. */
  let asked: boolean | undefined;
  /** The account that this page signed in to, or took up. */
  let owner: string | undefined;

  /** Sends what the service knows the session by. */
  const ask = async (path: string, body: object, options?: CallOptions, send = anonymous, method = 'POST') => {
    const sent = { ...options, body: { ...body, ...mode }, keepalive: true };
    const { access_token, refresh_token, expires_in, user } = await send<SignedIn>(method, path, sent);
    return { tokens: { access_token, refresh_token, expires_at: Date.now() + expires_in * 1000 }, user };
  };

  /** Keeps the tokens of an answer. */
  const keep = async ({ tokens, user }: Awaited<ReturnType<typeof ask>>) => {
    owner = user.id;
    await store.save(tokens);
    return user;
  };

  /** The locks of the tabs that share the store. Where there are none, the store itself lets one refresh at a time. */
  const locks = () => (store.name ? globalThis.navigator?.locks : null);

  /**
   * Takes the lock of a refresh token: resolves to what releases it, or to null where another tab has it. All tabs see the same locks
   * at each moment, while what one writes to `localStorage` reaches the others later.
   */
  const take = (token: string | undefined): Promise<(() => void) | null | undefined> =>
    new Promise((resolve) => {
      // The lock is held until what `new Promise` passes to `resolve` is called.
      const hold = (lock: unknown) => (lock ? new Promise<void>(resolve) : resolve(null));
      if (locks()?.request(`recto:${token}`, { ifAvailable: true }, hold) === undefined) resolve(undefined);
    });

  async function refresh(rejected?: string): Promise<Tokens | null> {
    const tokens = await store.load();
    // Someone else has renewed it meanwhile.
    if (tokens && rejected !== undefined && tokens.access_token !== rejected && lasts(tokens)) return tokens;
    const refresh_token = tokens?.refresh_token;
    if (!inCookie && !refresh_token) return null;
    const release = await take(refresh_token ?? store.name);
    if (release === null) {
      // Another tab uses it or has used it; what it got becomes visible here soon.
      await sleep(30);
      return refresh(inCookie ? rejected : (rejected ?? ''));
    }
    let next: Awaited<ReturnType<typeof ask>> | undefined;
    try {
      next = await ask('/auth/refresh', { refresh_token });
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
    } finally {
      // Storage is not passed on at once to the other tabs: for a minute they do not use the refresh token again.
      if (release) setTimeout(release, next && !inCookie ? 60_000 : 0);
    }
    const now = await store.load();
    // Somebody has signed in or out meanwhile, here or in another tab: what is kept now holds.
    if ((next || now) && now?.access_token !== tokens?.access_token) return now;
    // All tabs share the cookie. Of another account it is only taken up when the page asks for that itself.
    if (next && !(inCookie && rejected !== undefined && owner && next.user.id !== owner)) {
      await keep(next);
      return next.tokens;
    }
    // Without tokens, there was no session that could end.
    if (tokens && asked) {
      await store.save(null);
      ended?.();
    }
    return null;
  }

  /** One at a time in this client, and across all users of the store. A caller that gives up does not end it for the others. */
  function renewed(rejected?: string, request?: RequestOptions): Promise<Tokens | null> {
    const task = () => refresh(rejected);
    asked ||= !request?.background;
    renewing ??= (locks() ? task() : (store.exclusive?.(task) ?? task())).finally(() => {
      renewing = undefined;
      asked = undefined;
    });
    // Without a time, `sleep` only ever rejects.
    return Promise.race([renewing, sleep(undefined, request?.signal)]) as typeof renewing;
  }

  const token: TokenSource['token'] = async (request) => {
    const tokens = await store.load();
    return (tokens && !lasts(tokens) ? await renewed('', request) : tokens)?.access_token;
  };
  const renew = async (rejected?: string, request?: RequestOptions): Promise<boolean> =>
    !!(await renewed(rejected, request));
  const entering = (path: string, send?: Send, method?: string) => async (body: object, options?: CallOptions) =>
    keep(await ask(path, body, options, send, method));
  /** Sends what a link or a form has: all of the body, or its one member `name`. Signs nobody in. */
  const posting =
    <Result = void>(path: string, name?: string) =>
    (value: unknown, options?: CallOptions): Promise<Result> =>
      anonymous('POST', `/auth/${path}`, { ...options, body: name ? { [name]: value } : value });

  return {
    token,
    renew,
    auth: (send) => ({
      login: entering('/auth/login'),
      async register(body, options) {
        const answer = await ask('/auth/register', body, options);
        // There is none where the address is to be confirmed first.
        return answer.user && keep(answer);
      },
      refresh: (options) => renew(undefined, options),
      async logout(options) {
        try {
          await send('POST', '/auth/logout', options);
        } finally {
          await store.save(null);
        }
      },
      me: (options) => send('GET', '/auth/me', options),
      update: (changes, options) => send('PUT', '/auth/me', { ...options, body: changes }),
      changePassword: entering('/auth/me/password', send, 'PUT'),
      options: (options) => anonymous('GET', '/auth/options', options),
      forgotPassword: posting('password-reset', 'email'),
      resetPassword: posting('password-reset/confirm'),
      requestVerification: (options) => send('POST', '/auth/verification', options),
      verify: posting('verification/confirm', 'token'),
      confirmEmailChange: posting('email-change/confirm', 'token'),
      revertEmailChange: posting('email-change/revert', 'token'),
      acceptInvitation: entering('/auth/invitation/confirm'),
      requestCode: posting<CodeChallenge>('code', 'email'),
      signInWithCode: entering('/auth/code/confirm'),
      ...providerCalls(url, [anonymous, send], entering('/auth/exchange')),
      ...factorCalls([anonymous, send], entering),
      signedIn: async () => !!(await token()),
      onEnd(listener) {
        ended = listener;
      },
    }),
  };
}

export interface Session extends TokenSource {
  auth(send: Send): Auth;
}

/** A session that ends with the program or page. */
export function inMemory(): SessionStore {
  let kept: Tokens | null = null;
  return {
    load: () => kept,
    save(tokens) {
      kept = tokens;
    },
  };
}
