import { type Authenticator, anonymous, type Caller } from '../base/caller.ts';
import type { Logger } from '../base/logger.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { badRequest, forbidden, Problem, unauthorized, unavailable } from '../base/problem.ts';
import { noOwnRoles, type OwnRoles } from '../definition/roles/role.ts';
import { shownName } from '../query/query-text.ts';
import { CorsPolicy } from './cors-policy.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import { type Mount, mountFor } from './mount.ts';
import type { Operation } from './operation.ts';
import { type Previews, previewOf } from './previews.ts';
import { HttpRequestContext, type PeerAddress, type RequestLimits } from './request-context.ts';
import { completeHeaders, previewHeaders } from './responses/answer-headers.ts';
import { headOnly } from './responses/head-only.ts';
import { OpenStreams } from './responses/open-streams.ts';
import { problemResponse } from './responses/problem-response.ts';
import type { Route } from './route.ts';
import { RouteTable } from './route-table.ts';
import { visiting } from './tenant-header.ts';
import { viewingAs } from './view-as.ts';

export interface App {
  /**
   * Answers one request. Never throws or rejects; gives the answer itself, not a promise, where neither the authenticator nor the handler waits.
   * Without `peerAddress` the caller's address is `unknown`.
   */
  fetch(request: Request, peerAddress?: PeerAddress): MaybePromise<Response>;
}

/** What requests are counted by. */
type MeasuredRoute = Pick<Operation, 'id' | 'method' | 'path'>;

/** A request that has been answered, for metrics. */
export interface FinishedRequest {
  /** The operation, or the mount's path; null where the path or method led nowhere. */
  readonly operation: MeasuredRoute | null;
  readonly method: string;
  readonly status: number;
  /** Until the answer was made, without the time it takes to send it. */
  readonly seconds: number;
}

export interface AppOptions extends RequestLimits {
  readonly operations: readonly Operation[];
  readonly authenticator: Authenticator;
  /** Asked for requests with an `Idempotency-Key`. */
  readonly idempotency: Pick<Idempotency, 'answer'>;
  readonly log: Logger;
  readonly observe?: (finished: FinishedRequest) => void;
  /** What answers below other paths than those of the operations. */
  readonly mounts?: readonly Mount[];
  /** Knows preview tokens; absent: every one is refused. */
  readonly previews?: Previews;
  /** Roles of the installation's own; default: none. */
  readonly ownRoles?: OwnRoles;
  /** Origins whose pages may read the answers, `*` for all; empty for none. */
  readonly corsOrigins: readonly string[];
  /**
   * The app of the content types as they are now; absent: they never change. A request that waits for the database while its content
   * type is changed meets tables that are not those of its definition any more. It begins again then if it only reads, and otherwise
   * gets 503 `definition_changed`.
   */
  readonly latest?: () => MaybePromise<App>;
}

/** Throws when two operations have the same method and path. */
export function createApp(options: AppOptions): App {
  return new OperationApp(options);
}

const isRead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

const definitionChanged = (): Problem =>
  unavailable('definition_changed', 'A content type has just been changed. Send this again.');

class OperationApp implements App {
  readonly #options: AppOptions;
  readonly #routes: RouteTable;
  readonly #cors: CorsPolicy | null;
  readonly #mounts: readonly Mount[];
  readonly #logsRequests: boolean;

  constructor(options: AppOptions) {
    this.#options = { streams: new OpenStreams(), ...options };
    this.#logsRequests = options.log.isLevelEnabled('debug');
    this.#routes = new RouteTable(options.operations);
    this.#mounts = options.mounts ?? [];
    this.#cors = options.corsOrigins.length === 0 ? null : new CorsPolicy(options.corsOrigins);
  }

  fetch(request: Request, peerAddress?: PeerAddress): MaybePromise<Response> {
    const response = this.#respond(request, peerAddress);
    return request.method === 'HEAD' ? headOnly(response) : response;
  }

  #respond(request: Request, peerAddress: PeerAddress | undefined): MaybePromise<Response> {
    const started = performance.now();
    const context = new HttpRequestContext(request, peerAddress, this.#options);
    let answer: MaybePromise<Response>;
    try {
      answer = this.#answer(context);
    } catch (error) {
      answer = this.#problemResponse(context, error);
    }
    if (!(answer instanceof Promise)) return this.#finish(context, answer, started);
    return answer.then(
      (response) => this.#finish(context, response, started),
      async (error) => {
        const latest = error instanceof Problem ? this : ((await this.#options.latest?.()) ?? this);
        if (latest !== this && isRead(request)) return latest.fetch(request, peerAddress);
        const reason = latest === this ? error : definitionChanged();
        return this.#finish(context, this.#problemResponse(context, reason), started);
      },
    );
  }

  #answer(context: HttpRequestContext): MaybePromise<Response> {
    const { request } = context;
    checkEncoding(context);
    const found = this.#routes.find(request.method === 'HEAD' ? 'GET' : request.method, context.path);
    context.found = found;
    return found === undefined ? this.#beside(context) : this.#identified(context, found.route);
  }

  #identified(context: HttpRequestContext, route: Route): MaybePromise<Response> {
    const authorization = context.request.headers.get('authorization');
    const { authenticator, idempotency, ownRoles = noOwnRoles } = this.#options;
    context.authenticator = authenticator;
    const preview = previewOf(context.request.headers, authorization);
    if (preview !== undefined) return this.#previewed(context, route, preview);
    if (authorization === null) {
      context.caller = requesting(context, route, anonymous);
      return route.answer(context, idempotency, ownRoles);
    }
    const caller = authenticator.identify(authorization, route.operation.duringSetup && 'setup');
    if (!(caller instanceof Promise)) {
      context.caller = requesting(context, route, caller);
      return route.answer(context, idempotency, ownRoles);
    }
    return caller.then((known) => {
      context.caller = requesting(context, route, known);
      return route.answer(context, idempotency, ownRoles);
    });
  }

  /** Answers a public read of records as a preview shows them. */
  async #previewed(
    context: HttpRequestContext,
    route: Route,
    { token, authorization }: { readonly token: string; readonly authorization: string | null },
  ): Promise<Response> {
    const { authenticator, idempotency, ownRoles = noOwnRoles, previews } = this.#options;
    context.isPreview = true;
    const reader = authorization === null ? anonymous : await authenticator.identify(authorization);
    if (previews === undefined) throw unauthorized('invalid_token', 'There are no previews here.');
    const opened = await previews.open(token, requesting(context, route, reader));
    const { preview } = route.operation;
    if (preview === undefined)
      throw forbidden('preview_only', 'A preview token reads records of public routes, and nothing else.');
    context.caller = opened.caller;
    if (opened.language !== null) context.search = preview.inLanguage(context.search, opened.language);
    return route.answer(context, idempotency, ownRoles, () =>
      opened.read(preview, context.search, (records) => preview.answer(context, records)),
    );
  }

  /** No operation answers the method and path. */
  #beside(context: HttpRequestContext): MaybePromise<Response> {
    const { request, path } = context;
    const mount = mountFor(this.#mounts, path);
    if (mount === undefined || this.#routes.allowed(path).length > 0) return this.#unrouted(context);
    context.mount = mount;
    return mount.handle({ request, path: decodeURIComponent(path.slice(mount.prefix.length)) });
  }

  #unrouted({ request, path }: HttpRequestContext): Response {
    const methods = this.#routes.allowed(path);
    if (methods.length === 0) throw new Problem(404, 'route_not_found', 'There is nothing at this path.');
    const allow = methods.join(', ');
    if (request.method !== 'OPTIONS') {
      throw new Problem(405, 'method_not_allowed', `This path answers ${allow}.`, { headers: { Allow: allow } });
    }
    const operations = methods.map((method) => this.#routes.find(method, path)?.route.operation);
    const more = operations.find((operation) => operation?.optionsHeaders !== undefined)?.optionsHeaders;
    const response = new Response(null, { status: 204, headers: { ...more, Allow: allow } });
    this.#cors?.applyPreflight(request, response.headers, allow);
    return response;
  }

  #problemResponse(context: HttpRequestContext, error: unknown): Response {
    const problem = error instanceof Problem ? error : internalError;
    if (problem.status >= 500) {
      const fields = {
        request_id: context.id,
        method: context.request.method,
        route: context.found?.route.operation.path ?? context.mount?.prefix,
        err: error,
      };
      if (isRefusal(error)) this.#options.log.warn(fields, 'request refused');
      else this.#options.log.error(fields, 'request failed');
    }
    return problemResponse(problem, context.id);
  }

  #finish(context: HttpRequestContext, response: Response, started: number): Response {
    if (response !== context.complete) completeHeaders(response.headers, context.id);
    if (context.isPreview) previewHeaders(response.headers);
    this.#cors?.apply(context.request, response.headers);
    this.#report(context, response.status, performance.now() - started);
    return response;
  }

  #report(context: HttpRequestContext, status: number, milliseconds: number): void {
    const { id, request, path, found, mount } = context;
    const { observe, log } = this.#options;
    const { method } = request;
    const operation = found?.route.operation ?? (mount === undefined ? null : measured(mount));
    observe?.({ operation, method, status, seconds: milliseconds / 1000 });
    if (!this.#logsRequests) return;
    const { address } = context;
    log.debug({ request_id: id, address, method, path, status, duration_ms: milliseconds }, 'request');
  }
}

/** The caller with what the request says: the tenant and the role that it names, and its id, for what is written. */
function requesting({ request, id }: HttpRequestContext, { operation }: Route, identified: Caller): Caller {
  const caller = viewingAs(visiting(identified, request.headers), request, operation);
  return isRead(request) ? caller : { ...caller, request: id };
}

/** One object for each mount, as metrics are kept by it. */
function measured(mount: Mount): MeasuredRoute {
  const known = measuredMounts.get(mount);
  if (known !== undefined) return known;
  const made: MeasuredRoute = {
    id: mount.prefix,
    method: 'GET',
    path: mount.prefix === '/' ? '/' : `${mount.prefix}/*`,
  };
  measuredMounts.set(mount, made);
  return made;
}

const measuredMounts = new WeakMap<Mount, MeasuredRoute>();

/** 400 where a percent-encoding does not decode to UTF-8. NUL has no place in a path or parameter, and not every database can be asked for it. */
function checkEncoding({ path, search }: HttpRequestContext): void {
  if (!path.includes('%') && !search.includes('%')) return;
  let text: string;
  try {
    text = decodeURIComponent(`${path}?${search}`);
  } catch {
    throw badRequest('malformed_encoding', 'The path or query is not percent-encoded UTF-8.');
  }
  if (text.includes('\0')) throw badRequest('malformed_encoding', `${holderOfNul(search)} contains a NUL character.`);
}

/** What of a path or query that has a NUL somewhere holds it. */
function holderOfNul(search: string): string {
  for (const [name, value] of new URLSearchParams(search)) {
    if (name.includes('\0')) return 'The name of a parameter';
    if (value.includes('\0')) return `The parameter "${shownName(name)}"`;
  }
  return 'The path';
}

const internalError = new Problem(
  500,
  'internal_error',
  'The service failed. The request id finds the reason in its log.',
);

/** Whether the service has decided not to answer, as where it has too much to do: nothing has failed. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Problem && error.status !== 500 && error.cause === undefined;
