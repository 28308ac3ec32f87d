import { type Caller, isAuthenticated, tenantAsked } from '../../base/caller.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { badRequest, Problem } from '../../base/problem.ts';
import type { Database } from '../../database/database.ts';
import { type KeptReply, type RepeatableRequest, ReplyStore } from '../../records/idempotency/reply-store.ts';
import type { HttpRequestContext, ReplyKeeper } from '../request-context.ts';
import { responseOf } from '../responses/reply.ts';
import { isRandom } from './idempotency-key.ts';

export interface IdempotencyOptions {
  readonly database: Database;
  /** What requests are hashed with: a body may hold a password, which a plain hash would let guess. */
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The header's key, and what the rights of its caller are written as. */
export interface SentKey {
  readonly key: string;
  readonly rights: string;
}

/**
 * Requests with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): the same request by the same caller is done
 * once, and answered the same each time. Only what changed something is kept: a request that was rejected can be sent again.
 */
export class Idempotency {
  readonly #store: ReplyStore;
  readonly #options: IdempotencyOptions;
  /** Those that run in this process. Others are waited for by the database. */
  readonly #running = new Set<string>();

  constructor(options: IdempotencyOptions) {
    this.#options = options;
    this.#store = new ReplyStore(options.database, options.now ?? Date.now);
  }

  /** Responds with what is kept, or lets the request be handled. The caller is known and may call this route. */
  async answer(context: HttpRequestContext, sent: SentKey, handle: () => MaybePromise<Response>): Promise<Response> {
    const request = await this.#repeatable(context, sent);
    const kept = await this.#store.find(request.id);
    if (kept !== undefined) return replay(kept, request);
    if (this.#running.has(request.id)) throw inUse();
    this.#running.add(request.id);
    try {
      context.keeper = this.#keeper(request);
      return await handle();
    } catch (error) {
      return await this.#afterError(request, error);
    } finally {
      this.#running.delete(request.id);
    }
  }

  /** What speaks against a request may be what the very same one has changed a moment ago, through another process. */
  async #afterError(request: RepeatableRequest, error: unknown): Promise<Response> {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    const kept = await this.#store.find(request.id);
    if (kept === undefined) throw error;
    return replay(kept, request);
  }

  #keeper(request: RepeatableRequest): ReplyKeeper {
    return {
      claim: async (transaction) => {
        if (!(await this.#store.claim(transaction, request))) throw inUse();
      },
      keep: (transaction, reply) => this.#store.keep(transaction, request.id, reply),
    };
  }

  async #repeatable(context: HttpRequestContext, { key, rights }: SentKey): Promise<RepeatableRequest> {
    const { caller, request, path, search, found } = context;
    if (!isAuthenticated(caller) && !isRandom(key)) {
      throw badRequest('invalid_idempotency_key', 'Without an access token, Idempotency-Key must be a random UUID.');
    }
    const body = found?.route.operation.body === undefined ? null : await context.body();
    const asked = this.#hash('request', request.method, path, search, JSON.stringify(body), tenantAsked(caller) ?? '');
    return {
      id: this.#hash('key', scopeOf(caller), key),
      fingerprint: `${asked}.${this.#hash('rights', rights)}`,
    };
  }

  #hash(...parts: readonly string[]): string {
    return new Bun.CryptoHasher('sha256', this.#options.secret).update(JSON.stringify(parts)).digest('hex');
  }
}

/**
 * Whose key it is. Anonymous callers cannot be distinguished, so theirs must be keys that nobody else can come upon: who knows one has
 * made the request. `visitor` is part of the keys that are stored.
 */
const scopeOf = (caller: Caller): string => (caller.kind === 'anonymous' ? 'visitor' : `${caller.kind} ${caller.id}`);

function replay(kept: KeptReply, { fingerprint }: RepeatableRequest): Response {
  const [before, now] = [kept, { fingerprint }].map(({ fingerprint: all }) => all.split('.'));
  if (before?.[0] !== now?.[0]) {
    throw new Problem(422, 'idempotency_key_reused', 'This Idempotency-Key was used for another request.', {
      errors: [],
    });
  }
  // What it shows may be what the caller does not read any more.
  if (before?.[1] !== now?.[1]) throw notKept('the rights of the caller have changed since', {});
  const { status, headers, body } = kept;
  if (status === null) throw notKept('its response was too large to be kept', headers);
  return responseOf({ status, body, headers: { ...headers, [replayed]: 'true' } });
}

/** Marks a response that was kept and is sent again. */
export const replayed = 'Idempotent-Replayed';

const inUse = (): Problem =>
  new Problem(409, 'idempotency_key_in_use', 'A request with this Idempotency-Key is being answered.', {
    headers: { 'Retry-After': '1' },
  });

function notKept(why: string, { Location: location }: Readonly<Record<string, string>>): Problem {
  return new Problem(409, 'answer_not_kept', `This request has been done; ${why}.`, {
    headers: location === undefined ? {} : { Location: location },
  });
}
