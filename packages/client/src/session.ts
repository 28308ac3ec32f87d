import { RectoError } from './recto-error.ts';
import type { TokenSource, Transport } from './transport.ts';

/** The tokens of a session. */
export interface Tokens {
  readonly access_token: string;
  /** Absent where the browser keeps it in a cookie. */
  readonly refresh_token?: string;
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
}

/** A token that ends within this time is renewed first, in milliseconds. */
const margin = 10_000;

/** The access token of a client, renewed when it ends. */
export class Session implements TokenSource {
  readonly #transport: Transport;
  readonly #store: SessionStore;
  readonly #inCookie: boolean;
  #renewing: Promise<Tokens | null> | undefined;
  /** Called when the service has ended the session. */
  onEnd: (() => void) | undefined;

  /** `transport` sends no access tokens. */
  constructor(transport: Transport, store: SessionStore | 'cookie') {
    this.#transport = transport;
    this.#inCookie = store === 'cookie';
    this.#store = store === 'cookie' ? { ...inMemory(), name: 'recto' } : store;
  }

  /** What signing in and refreshing send besides. */
  get mode(): { readonly session?: 'cookie' } {
    return this.#inCookie ? { session: 'cookie' } : {};
  }

  async token(signal?: AbortSignal): Promise<string | undefined> {
    const tokens = await this.#store.load();
    if (tokens === null) return undefined;
    if (tokens.expires_at - Date.now() > margin) return tokens.access_token;
    return (await this.#renewed('', signal))?.access_token;
  }

  async begin({ access_token, refresh_token, expires_in }: SignedIn): Promise<void> {
    const expires_at = Date.now() + expires_in * 1000;
    await this.#store.save({ access_token, expires_at, ...(refresh_token === undefined ? {} : { refresh_token }) });
  }

  /** The refresh token, for signing out. */
  async refreshToken(): Promise<string | undefined> {
    return (await this.#store.load())?.refresh_token;
  }

  async end(): Promise<void> {
    await this.#store.save(null);
  }

  /** Whether there is a token other than this one; without one, a new token is asked for anyway. False: the session has ended. */
  async renew(rejected?: string, signal?: AbortSignal): Promise<boolean> {
    return (await this.#renewed(rejected, signal)) !== null;
  }

  /** One at a time in this client, and across all users of the store. A caller that gives up does not end it for the others. */
  #renewed(rejected: string | undefined, signal?: AbortSignal): Promise<Tokens | null> {
    this.#renewing ??= this.#alone(() => this.#refresh(rejected)).finally(() => {
      this.#renewing = undefined;
    });
    return signal === undefined ? this.#renewing : Promise.race([this.#renewing, aborted(signal)]);
  }

  async #refresh(rejected: string | undefined): Promise<Tokens | null> {
    const tokens = await this.#store.load();
    // Someone else has renewed it meanwhile.
    const isNew = rejected !== undefined && tokens !== null && tokens.access_token !== rejected;
    if (isNew && tokens.expires_at - Date.now() > margin) return tokens;
    const refresh_token = tokens?.refresh_token;
    if (refresh_token === undefined && !this.#inCookie) return null;
    try {
      await this.begin(
        await this.#transport.json<SignedIn>('POST', '/auth/refresh', { body: { refresh_token, ...this.mode } }),
      );
      return await this.#store.load();
    } catch (error) {
      if (!(error instanceof RectoError) || error.status !== 401) throw error;
      await this.end();
      this.onEnd?.();
      return null;
    }
  }

  #alone<Result>(task: () => Promise<Result>): Promise<Result> {
    const { name, exclusive } = this.#store;
    if (name === undefined) return task();
    const locks = typeof navigator === 'undefined' ? undefined : navigator.locks;
    if (locks !== undefined) return locks.request(`recto:${name}`, task);
    return exclusive === undefined ? task() : (exclusive.call(this.#store, task) as Promise<Result>);
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

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
