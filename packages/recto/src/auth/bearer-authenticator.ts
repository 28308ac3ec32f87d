import { Cache } from '../base/cache.ts';
import type { AuthenticatedCaller, Authenticator, Caller, Role, StepUpDemand } from '../base/caller.ts';
import { anonymous } from '../base/caller.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { forbidden } from '../base/problem.ts';
import type { Database } from '../database/database.ts';
import { type AccessTokens, invalidToken, tokenExpired } from './access-tokens.ts';
import type { AccountStore } from './account-store.ts';
import type { ApiTokenStore } from './api-token-store.ts';
import type { AuthPolicy } from './auth-policy.ts';
import { authGeneration } from './auth-tables.ts';
import { setupFrom } from './factors/factor-policy.ts';
import type { FactorStore } from './factors/factor-store.ts';
import type { RelyingParty } from './factors/relying-party.ts';
import { requireStepUp } from './factors/step-up-demand.ts';
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
  /** From when on, in milliseconds since 1970, it can do nothing but set up a second factor. */
  readonly setupFrom: number;
  /** API tokens: when the use was last recorded. */
  usedAt: number;
}

export interface AuthenticatorParts {
  readonly database: Database;
  readonly accessTokens: AccessTokens;
  readonly sessions: SessionStore;
  readonly accounts: AccountStore;
  readonly apiTokens: ApiTokenStore;
  readonly factors: FactorStore;
  readonly relyingParty?: RelyingParty | undefined;
  readonly policy: Pick<AuthPolicy, 'secondFactor' | 'passwordSignIn'>;
  /** Whether there is a role of this name now. */
  readonly knowsRole: (role: Role) => boolean;
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
  readonly #known = new Cache<Known>({ entries: rememberedCallers });

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  identify(authorization: string | null, during?: 'setup'): Caller | Promise<Caller> {
    if (authorization === null) return anonymous;
    const refreshed = this.#parts.database.generations.refresh();
    const known =
      refreshed instanceof Promise ? refreshed.then(() => this.#look(authorization)) : this.#look(authorization);
    return known instanceof Promise
      ? known.then((found) => this.#admitted(found, during))
      : this.#admitted(known, during);
  }

  requireStepUp(caller: Caller, of: StepUpDemand): Promise<void> {
    return requireStepUp(this.#parts, caller, of);
  }

  /**
   * The policy holds for every route: those that set a second factor up say so, and nothing else does. So does the end of a role:
   * nothing says what its callers may do.
   */
  #admitted({ caller, setupFrom: from }: Known, during: 'setup' | undefined): Caller {
    if (during === 'setup') return caller;
    if (!this.#parts.knowsRole(caller.role)) throw unknownRole();
    if (from <= this.#parts.now()) throw setupRequired();
    return caller;
  }

  #look(authorization: string): MaybePromise<Known> {
    // Read before the rights: a change in between makes the entry stale, not wrong.
    const generation = this.#parts.database.generations.of(authGeneration);
    const known = this.#known.get(authorization);
    if (known === undefined || known.generation !== generation || known.expiresAt <= this.#parts.now())
      return this.#resolve(authorization, known, generation);
    this.#noteUse(known);
    return known;
  }

  async #resolve(authorization: string, known: Known | undefined, generation: number): Promise<Known> {
    this.#known.delete(authorization);
    const token = authorization.length > maxHeaderLength ? undefined : bearer.exec(authorization)?.[1];
    if (token === undefined) throw invalidToken();
    const found = token.startsWith(apiTokenPrefix)
      ? await this.#apiToken(token, generation)
      : await this.#session(token, known, generation);
    this.#known.set(authorization, found);
    this.#noteUse(found);
    return found;
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
      setupFrom: setupFrom(this.#parts.policy.secondFactor, { ...live, askedAt: live.secondFactorAskedAt }),
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
      caller: {
        ...{ kind: 'api_token', id: found.id, role: found.role },
        ...(found.scopes === null ? {} : { scopes: found.scopes }),
        ...belonging(found.tenant),
      },
      tokenExpiresAt: expiresAt,
      expiresAt,
      // No person is behind it.
      setupFrom: Number.POSITIVE_INFINITY,
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

const unknownRole = () =>
  forbidden(
    'unknown_role',
    'The role of this account or API token no longer exists: an admin has to give it another one.',
  );

const setupRequired = () =>
  forbidden(
    'second_factor_setup_required',
    'The account must have a second factor: until one is set up, it can do nothing else.',
  );
