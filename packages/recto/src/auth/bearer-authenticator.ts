import { LRUCache } from 'lru-cache';
import type { AuthenticatedCaller, Authenticator, Caller } from '../base/caller.ts';
import { visitor } from '../base/caller.ts';
import type { Database } from '../database/database.ts';
import { type AccessTokens, invalidToken, tokenExpired } from './access-tokens.ts';
import type { ApiTokenStore } from './api-token-store.ts';
import { authGeneration } from './auth-tables.ts';
import { apiTokenPrefix } from './opaque-token.ts';
import type { SessionStore } from './session-store.ts';

/** Callers remembered at a time: some 10 MB, and 25 where all headers are as long as they may be. One that is forgotten is only looked up again. */
const rememberedCallers = 10_000;

/** Milliseconds in which an API token's use is noted once. */
const useNotedEvery = 60_000;

// RFC 6750, section 2.1: `b64token`. No token made here is longer than some hundred characters.
const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const maxHeaderLength = 2048;

interface Known {
  readonly caller: AuthenticatedCaller;
  /** When the token itself runs out, in milliseconds since 1970. */
  readonly tokenExpiresAt: number;
  /** When the token or what stands behind it runs out. */
  readonly expiresAt: number;
  /** Rights as of this generation of `recto:auth`. */
  readonly generation: number;
  /** API tokens: when the use was last noted. */
  usedAt: number;
}

export interface AuthenticatorParts {
  readonly database: Database;
  readonly accessTokens: AccessTokens;
  readonly sessions: SessionStore;
  readonly apiTokens: ApiTokenStore;
  readonly now: () => number;
  /** Told of a use that could not be noted; the request does not fail for it. */
  readonly onError: (error: unknown) => void;
}

/**
 * Tells callers by their bearer tokens. A token is verified once; then a map look-up is enough, until it runs out or
 * any right anywhere is taken away (which the generation of `recto:auth` tells, whichever process did it). After that the
 * rights, but not the signature, are looked at again. Tokens that are refused are not remembered.
 */
export class BearerAuthenticator implements Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #known = new LRUCache<string, Known>({ max: rememberedCallers });

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  identify(authorization: string | null): Caller | Promise<Caller> {
    if (authorization === null) return visitor;
    const refreshed = this.#parts.database.generations.refresh();
    return refreshed instanceof Promise ? refreshed.then(() => this.#look(authorization)) : this.#look(authorization);
  }

  #look(authorization: string): Caller | Promise<Caller> {
    // Read before the rights are: a change in between makes the entry stale and not wrong.
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

  /** Nobody waits for the note: it is not part of the answer. */
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
