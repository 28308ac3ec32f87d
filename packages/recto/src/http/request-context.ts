import { type Authenticator, anonymous, type Caller, type StepUpDemand } from '../base/caller.ts';
import { invalid } from '../base/problem.ts';
import type { Transaction, TransactionWork } from '../database/database.ts';
import type { CompiledSchema } from '../values/compiled-schema.ts';
import { type BodySpec, isJsonBody } from './bodies/body-spec.ts';
import { type JsonObject, readJsonBody } from './bodies/json-body.ts';
import { type Part, readMultipart } from './bodies/multipart-body.ts';
import { readStreamBody } from './bodies/stream-body.ts';
import type { Mount } from './mount.ts';
import type { Operation, RequestContext, RunInTransaction } from './operation.ts';
import { requestOrigin } from './proxies/request-origin.ts';
import type { TrustedProxies } from './proxies/trusted-proxies.ts';
import type { QueryValues } from './query-reader.ts';
import { requestId } from './request-id.ts';
import { requestIdHeader } from './responses/answer-headers.ts';
import type { OpenStreams, StreamKind, StreamSource } from './responses/open-streams.ts';
import { type Reply, responseOf } from './responses/reply.ts';

/** Returns a request's peer address. Asked only by what limits rates, because asking the socket has its cost. */
export type PeerAddress = (request: Request) => string;

/** The address of a request that came over no connection. */
export const unknownPeer = 'unknown';

/** The operation that a request's method and path lead to. */
export interface RequestedOperation {
  readonly route: { readonly operation: Operation; readonly bodySchema: CompiledSchema | null };
  /** A path parameter as it stands in the URL; undefined for one that the route has not. */
  param(name: string): string | undefined;
}

export interface RequestLimits {
  /** Bytes that a request's body may have. */
  readonly maxBody: number;
  /** Until the complete body has arrived. Default: a minute. */
  readonly requestTimeoutMs?: number;
  readonly proxies: TrustedProxies;
  /** Where streamed answers are kept while they are sent; default: the app's own. */
  readonly streams?: OpenStreams;
}

/** Keeps the response to a request that may come again, in the transaction of its change. */
export interface ReplyKeeper {
  /** Takes the request's key for the transaction; throws 409 where it has been used. */
  claim(transaction: Transaction): Promise<void>;
  keep(transaction: Transaction, reply: Reply): Promise<void>;
}

/**
 * One request on its way through the app, and what its handler sees of it. Made for every request, so it keeps to indexes into the
 * URL's text: no URL, no URLSearchParams, nothing decoded before it is asked for.
 */
export class HttpRequestContext implements RequestContext {
  readonly request: Request;
  readonly id: string;
  readonly path: string;
  /** A preview adds its language. */
  search: string;
  /** Set when the path and method are known. */
  found: RequestedOperation | undefined;
  /** Whether the request has a preview token. */
  isPreview = false;
  /** Set where a mount answers. */
  mount: Mount | undefined;
  /** Set before the handler runs. */
  caller: Caller = anonymous;
  /** Set before the handler runs. */
  authenticator: Pick<Authenticator, 'requireStepUp'> | undefined;
  /** Set before the handler runs. */
  query: QueryValues = noValues;
  /** Set before the handler runs, where the response is to be kept. */
  keeper: ReplyKeeper | undefined;
  /** The answer that has its headers already, where the handler has made one with `respond`. */
  complete: Response | undefined;
  readonly #peerAddress: PeerAddress | undefined;
  readonly #limits: RequestLimits;
  #body: Promise<JsonObject> | undefined;

  constructor(request: Request, peerAddress: PeerAddress | undefined, limits: RequestLimits) {
    const { url } = request;
    // The runtime leaves out scheme and host where the Host header is none.
    const start = url.startsWith('/') ? 0 : url.indexOf('/', afterScheme);
    const hash = url.indexOf('#', start);
    const end = hash === -1 ? url.length : hash;
    const mark = url.indexOf('?', start);
    const pathEnd = mark === -1 || mark > end ? end : mark;
    this.request = request;
    this.id = requestId(request.headers);
    this.path = url.slice(start, pathEnd);
    this.search = pathEnd === end ? '' : url.slice(pathEnd + 1, end);
    this.#peerAddress = peerAddress;
    this.#limits = limits;
  }

  get address(): string {
    return this.#limits.proxies.clientAddress(this.#peer, this.request.headers.get('x-forwarded-for'));
  }

  get origin(): string {
    return requestOrigin(this.request, this.#limits.proxies.trusts(this.#peer));
  }

  /** The address of the socket's other end. */
  get #peer(): string {
    return this.#peerAddress?.(this.request) ?? unknownPeer;
  }

  requireStepUp(of: StepUpDemand): Promise<void> {
    if (this.authenticator === undefined) throw new Error('Nobody can say whether the caller has proved anything.');
    return this.authenticator.requireStepUp(this.caller, of);
  }

  param(name: string): string {
    const value = this.found?.param(name);
    if (value === undefined) throw new Error(`The path ${this.path} has no parameter ${name}.`);
    return value.includes('%') ? decodeURIComponent(value) : value;
  }

  body(): Promise<JsonObject> {
    this.#body ??= this.#readBody();
    return this.#body;
  }

  parts(): AsyncIterable<Part> {
    const body = this.#bodySpec();
    if (body.kind === 'upload') return readMultipart(this.request, body.form);
    if (body.kind !== 'multipart') throw this.#otherBody('multipart');
    return readMultipart(this.request, body);
  }

  bytes(): AsyncIterable<Uint8Array> {
    const body = this.#bodySpec();
    if (body.kind === 'upload') return readStreamBody(this.request, { ...body, kind: 'stream', mediaTypes: ['*'] });
    if (body.kind !== 'stream') throw this.#otherBody('stream');
    return readStreamBody(this.request, body);
  }

  respondInTransaction<T>(
    runInTransaction: RunInTransaction,
    change: TransactionWork<T>,
    reply: (result: T) => Reply,
  ): Promise<Response> {
    const { keeper } = this;
    if (keeper === undefined) {
      return runInTransaction(async (transaction, isLast) => responseOf(reply(await change(transaction, isLast))));
    }
    return runInTransaction(async (transaction) => {
      // First, so that of two that come at the same moment the second waits here and has changed nothing.
      await keeper.claim(transaction);
      const answer = reply(await change(transaction));
      await keeper.keep(transaction, answer);
      return responseOf(answer);
    });
  }

  respond(
    body: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | null,
    headers: Headers,
    status = 200,
  ): Response {
    headers.set(requestIdHeader, this.id);
    this.complete = new Response(body, { status, headers });
    return this.complete;
  }

  stream(source: StreamSource, headers: Readonly<Record<string, string>>, kind?: StreamKind): Response {
    const all = { 'Cache-Control': 'no-store', ...headers };
    // Nobody would read what is written.
    if (this.request.method === 'HEAD') return new Response(null, { headers: all });
    const { streams } = this.#limits;
    if (streams === undefined) throw new Error('There is no owner for streams.');
    return new Response(streams.open(source, kind), { headers: all });
  }

  async #readBody(): Promise<JsonObject> {
    const spec = this.#bodySpec();
    if (!isJsonBody(spec)) throw this.#otherBody('json');
    const limits = { bytes: this.#limits.maxBody, milliseconds: this.#limits.requestTimeoutMs ?? 60_000 };
    const body = await readJsonBody(this.request, limits, spec);
    const faults = this.found?.route.bodySchema?.faults(body) ?? [];
    if (faults.length > 0) throw invalid(faults);
    return body;
  }

  #bodySpec(): BodySpec {
    const operation = this.found?.route.operation;
    if (operation?.body === undefined) throw new Error(`The operation ${operation?.id} declares no body.`);
    return operation.body;
  }

  #otherBody(kind: string): Error {
    return new Error(`The operation ${this.found?.route.operation.id} declares no ${kind} body.`);
  }
}

const afterScheme = 'https://'.length;
const noValues: QueryValues = Object.freeze({});
