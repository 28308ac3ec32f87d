import type { TObject, TSchema } from 'typebox';
import type { Caller, Role, StepUpDemand } from '../base/caller.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import type { TransactionWork } from '../database/database.ts';
import type { Records } from '../records/records.ts';
import type { BodySpec } from './bodies/body-spec.ts';
import type { Part } from './bodies/multipart-body.ts';
import type { OperationRight } from './operation-right.ts';
import type { StreamKind, StreamSource } from './responses/open-streams.ts';
import type { Reply } from './responses/reply.ts';

/** Runs work in a transaction, and resolves after its commit. */
export type RunInTransaction = <T>(work: TransactionWork<T>) => Promise<T>;

/** What a handler is given. One object a request; everything in it is made when it is first asked for. */
export interface RequestContext {
  readonly request: Request;
  /** Returned as `X-Request-Id` and in every log line of the request. */
  readonly id: string;
  /** The caller's address, for rate limits: the socket's other end, or what trusted proxies say. */
  readonly address: string;
  /** Where the caller reached the service: `https://cms.example.com`. */
  readonly origin: string;
  /** A path parameter, decoded. */
  param(name: string): string;
  /** The raw query string, without `?`; empty for none. */
  readonly search: string;
  /** The query parameters that an operation with `validation: 'schema'` declares, converted to their types, defaults filled in; else empty. */
  readonly query: Readonly<Record<string, string | number | boolean>>;
  /** Who asks; rejects with 401 when a token is present and bad (whatever the operation's `security`). Settled before the handler runs. */
  readonly caller: Caller;
  /**
   * Demands a recent proof that the owner of the session is there, as `Operation.stepUp` does, of a handler for which it depends on the
   * request. Throws 403 `step_up_required`.
   */
  requireStepUp(of: StepUpDemand): Promise<void>;
  /** The JSON body, an object that the operation's `body` schema has accepted. Reads at most RECTO_MAX_BODY. */
  body(): Promise<Readonly<Record<string, unknown>>>;
  /** The parts of a `multipart` body as they arrive, checked by the operation's `body`. Read once. */
  parts(): AsyncIterable<Part>;
  /** The bytes of a `stream` body as they arrive. Read once. Throws 415 for another media type. */
  bytes(): AsyncIterable<Uint8Array>;
  /**
   * Runs a change in its transaction and responds with what it returned. For a request with an `Idempotency-Key` the same
   * transaction also keeps the response, so that there is never one without the other.
   */
  respondInTransaction<T>(
    runInTransaction: RunInTransaction,
    change: TransactionWork<T>,
    reply: (result: T) => Reply,
  ): Promise<Response>;
  /**
   * An answer with a copy of `headers`, which `answerHeaders` made and which may be used for the next request's answer: all that
   * they need is written into them. Costs less than a `Response` that gets its headers afterwards.
   */
  respond(
    body: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | null,
    headers: Headers,
    status?: number,
  ): Response;
  /**
   * An answer that is sent as `source` writes it, for as long as it takes. It ends when the client goes or the service stops, which breaks
   * off one that has to be `whole`; throws 503 once the service does.
   */
  stream(source: StreamSource, headers: Readonly<Record<string, string>>, kind?: StreamKind): Response;
}

export interface ResponseSpec {
  readonly description: string;
  /** Absent: no body (204, 304), or with a `mediaType` bytes without a schema. */
  readonly schema?: TSchema;
  /** Default `application/json`. */
  readonly mediaType?: string;
  /** Other media types that the body may be of, as the caller's `Accept` has it, and their schemas. */
  readonly alternatives?: Readonly<Record<string, TSchema>>;
  /** `optional`: not in every answer of this status. */
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly optional?: true }>>;
}

/** Errors that an operation can return, each documented as `application/problem+json`. 401, 403 follow from `security`; 413, 415 from `body`; 500 is always there. */
export type ProblemResponse = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 416 | 422 | 429 | 503 | 507;

/**
 * One route, declared once: what it accepts and returns (which validates requests and makes the OpenAPI document), who may
 * call it, and what it does. A PUT operation also answers PATCH, unless it says otherwise.
 */
export interface Operation {
  /** OpenAPI `operationId`, unique, camelCase. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `false`: a PUT that replaces the complete resource, so it does not answer PATCH (RFC 5789, section 2). */
  readonly patch?: false;
  /** With `{name}` parameters, from the root: `/api/v1/cms/articles/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** `none`: needs no token, but a bad one is rejected; `optional`: a token identifies the caller; `bearer`: 401 without one. */
  readonly security: 'none' | 'optional' | 'bearer';
  /** With `bearer`: the roles that may; others get 403. Absent: any authenticated caller. */
  readonly roles?: readonly Role[];
  /** With `roles`: lets roles of the installation's own in that have it; absent: none of them. */
  readonly right?: OperationRight;
  /** With GET: it may store something, so that nobody calls it as another role. */
  readonly stores?: true;
  /** With `bearer` and without `roles`: API tokens with scopes may call it as well. */
  readonly anyScope?: true;
  /** With `roles`: changes what all tenants have, and is for callers who belong to none; others get 403. */
  readonly installation?: true;
  /**
   * With `bearer`: takes a recent proof that the owner of the session is there; 403 `step_up_required` without one. `account`: an API
   * token cannot give one and gets 403 `not_an_account`; `sessions`: it is let through.
   */
  readonly stepUp?: StepUpDemand;
  /**
   * May be called by a session that lacks a second factor which the settings demand: it is part of setting one up. All other operations
   * answer such a session with 403 `second_factor_setup_required`.
   */
  readonly duringSetup?: true;
  /** Path parameters' schemas; a parameter left out is a plain string. */
  readonly params?: Readonly<Record<string, TSchema>>;
  /** Query parameters. Absent: none are taken. A parameter that is not named is 400. `'own'` as validator: the handler reads them itself. */
  readonly query?: { readonly schema: TObject; readonly validation: 'schema' | 'own' };
  /** What it takes as its body; absent: none. */
  readonly body?: BodySpec;
  /** Request headers that the handler reads, and their schemas. What follows from `once` and from a 304 is not among them. */
  readonly headers?: Readonly<Record<string, TSchema>>;
  /**
   * Takes an `Idempotency-Key`: the handler uses `respondInTransaction`. For each POST with a JSON body or none that changes something
   * and returns no secret, and for updates of records by the admin routes.
   */
  readonly once?: true;
  /** Headers of the answer to OPTIONS at this path, besides `Allow`: what a protocol has clients find out there. */
  readonly optionsHeaders?: Readonly<Record<string, string>>;
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  readonly problems: readonly ProblemResponse[];
  /** How it answers a preview: a public read of records does. Absent: a preview token gets 403. */
  readonly preview?: PreviewedRead;
  handle(context: RequestContext): MaybePromise<Response>;
}

/** A public read as a preview shows it. */
export interface PreviewedRead {
  /** The singular of the type that it reads. */
  readonly type: string;
  /** The query string, in a language where it names none. */
  inLanguage(search: string, language: string): string;
  /** Answers from these records, in place of those that are published. */
  answer(context: RequestContext, records: Records): MaybePromise<Response>;
}
