import type { AuthenticatedCaller, Authenticator, Caller } from '../base/caller.ts';
import { anonymous } from '../base/caller.ts';
import { GrowingCache } from '../base/growing-cache.ts';
import type { Database } from '../database/database.ts';
import { type AccessTokens, invalidToken, tokenExpired } from './access-tokens.ts';
import type { ApiTokenStore } from './api-token-store.ts';
import { authGeneration } from './auth-tables.ts';
import { apiTokenPrefix } from './opaque-token.ts';
import type { SessionStore } from './session-store.ts';

/** The size of the caller cache: about 10 MB, or 25 MB with headers of maximum length. An evicted caller is looked up again. */
const rememberedCallers = 10_000;

/** The use of an API token is recorded once in this many milliseconds. */
const useNotedEvery = 60_000;

// RFC 6750, section 2.1: `b64token`. Tokens issued here are a few hundred characters at most.
const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const maxHeaderLength = 2048;

interface Known {
  readonly caller: AuthenticatedCaller;
  /** When the token itself expires, in milliseconds since 1970. */
  readonly tokenExpiresAt: number;
  /** When the token, or its session or API token, expires. */
  readonly expiresAt: number;
  /** Rights as of this generation of `recto:auth`. */
  readonly generation: number;
  /** API tokens: when the use was last recorded. */
  usedAt: number;
}

export interface AuthenticatorParts {
  readonly database: Database;
  readonly accessTokens: AccessTokens;
  readonly sessions: SessionStore;
  readonly apiTokens: ApiTokenStore;
  readonly now: () => number;
  /** Called when a use could not be recorded; the request does not fail for it. */
  readonly onError: (error: unknown) => void;
}

/**
 * Authenticates bearer tokens. A token is verified once; then a map look-up is enough, until it expires or any right is
 * revoked by any process, which changes the generation of `recto:auth`. After that the rights are read again, but the
 * signature is not verified again. Rejected tokens are not cached.
 */
export class BearerAuthenticator implements Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #known = new GrowingCache<Known>({ entries: rememberedCallers });

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  identify(authorization: string | null): Caller | Promise<Caller> {
    if (authorization === null) return anonymous;
    const refreshed = this.#parts.database.generations.refresh();
    return refreshed instanceof Promise ? refreshed.then(() => this.#look(authorization)) : this.#look(authorization);
  }

  #look(authorization: string): Caller | Promise<Caller> {
    // Read before the rights: a change in between makes the entry stale, not wrong.
    const generation = this.#parts.database.generations.of(authGeneration);
    const known = this.#known.get(authorization);
    if (known === undefined || known.generation !== generation || known.expiresAt <= this.#parts.now())
      return this.#resolve(authorization, known, generation);
    this.#noteUse(known);
    return known.caller;
  }

  async #resolve(authorization: string, known: Known | undefined, generation: number): Promise<Caller> {
    this.#known.delete(authorization);
    const token = authorization.length > maxHeaderLength ? undefined : bearer.exec(authorization)?.[1];
    if (token === undefined) throw invalidToken();
    const found = token.startsWith(apiTokenPrefix)
      ? await this.#apiToken(token, generation)
      : await this.#session(token, known, generation);
    this.#known.set(authorization, found);
    this.#noteUse(found);
    return found.caller;
  }

  async #session(token: string, known: Known | undefined, generation: number): Promise<Known> {
    const { sessions, accessTokens, database, now } = this.#parts;
    const claims =
      known?.caller.kind === 'account'
        ? { account: known.caller.id, session: known.caller.session, expiresAt: known.tokenExpiresAt }
        : await accessTokens.verify(token);
    if (claims.expiresAt <= now()) throw tokenExpired();
    const live = await sessions.live(database, claims.session, now());
    if (live === undefined || live.account !== claims.account) throw invalidToken();
    return {
      caller: {
        ...{ kind: 'account', id: live.account, role: live.role, session: claims.session, email: live.email },
        ...(live.username === null ? {} : { username: live.username }),
        ...(live.verified ? { verified: true } : {}),
        ...belonging(live.tenant),
      },
      tokenExpiresAt: claims.expiresAt,
      expiresAt: Math.min(claims.expiresAt, live.expiresAt),
      generation,
      usedAt: 0,
    };
  }

  async #apiToken(token: string, generation: number): Promise<Known> {
    const { apiTokens, database, now } = this.#parts;
    const found = await apiTokens.bySecret(database, token);
    if (found === undefined) throw invalidToken();
    const expiresAt = found.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(found.expiresAt);
    if (expiresAt <= now()) throw tokenExpired();
    return {
      caller: { kind: 'api_token', id: found.id, role: found.role, ...belonging(found.tenant) },
      tokenExpiresAt: expiresAt,
      expiresAt,
      generation,
      usedAt: found.lastUsedAt === null ? 0 : Date.parse(found.lastUsedAt),
    };
  }

  /** Runs in the background: the response does not depend on it. */
  #noteUse(known: Known): void {
    if (known.caller.kind !== 'api_token') return;
    const { apiTokens, database, now, onError } = this.#parts;
    const at = now();
    if (at - known.usedAt < useNotedEvery) return;
    known.usedAt = at;
    apiTokens.recordUse(database, known.caller.id, at, at - useNotedEvery).catch(onError);
  }
}

const belonging = (tenant: string | null) => (tenant === null ? {} : { tenant });
