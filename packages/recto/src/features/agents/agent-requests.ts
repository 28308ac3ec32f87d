import type { Caller } from '../../base/caller.ts';
import { notFound } from '../../base/problem.ts';
import type { Settings } from '../../config/settings.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { TrustedProxies } from '../../http/proxies/trusted-proxies.ts';
import { HttpRequestContext } from '../../http/request-context.ts';
import { RouteTable } from '../../http/route-table.ts';
import type { Content } from '../service-core.ts';

/** What a route has answered. */
export interface RouteAnswer {
  // Every tool reads the members that it passes on, and the route has its own schema.
  readonly json: Readonly<Record<string, unknown>>;
  /** The entity tag; empty for none. */
  readonly etag: string;
}

export interface RouteRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly ifMatch?: string;
}

/** The routes of the API for one caller. */
export interface CallerRoutes {
  /** Throws the route's `Problem`. */
  send(request: RouteRequest): Promise<RouteAnswer>;
  /** Whether a type's records can be found and read by the routes of the admin. */
  isServed(type: ContentType): boolean;
}

/** The admin routes of a type. */
export const adminAddress = ({ ownRoutes, plural }: ContentType): string =>
  `/api/v1/admin/${ownRoutes === true ? '' : 'cms/'}${plural}`;

/** Where a record of a type is created by an editor. */
export const createAddress = (type: ContentType): string =>
  type.ownRoutes === true ? `/api/v1/${type.plural}` : adminAddress(type);

/**
 * Tools send what they need through the routes of the API, within the process: whatever these check of a caller's role, scopes and
 * payload holds for agents too, and there is no second place that could forget it.
 */
export class AgentRequests {
  readonly #content: Content;
  readonly #settings: Pick<Settings, 'maxBody'>;
  #table: RouteTable | undefined;

  constructor(content: Content, settings: Pick<Settings, 'maxBody'>) {
    this.#content = content;
    this.#settings = settings;
  }

  /** `id`: of the request that the caller has sent. */
  of(caller: Caller, id: string): CallerRoutes {
    return {
      send: (request) => this.#send(caller, id, request),
      isServed: (type) =>
        this.#routes.find('GET', adminAddress(type)) !== undefined &&
        this.#routes.find('GET', `${adminAddress(type)}/id`) !== undefined,
    };
  }

  get #routes(): RouteTable {
    this.#table ??= new RouteTable(this.#content.operations());
    return this.#table;
  }

  async #send(caller: Caller, id: string, { method, path, query, body, ifMatch }: RouteRequest): Promise<RouteAnswer> {
    const found = this.#routes.find(method, path);
    if (found === undefined) throw notFound('There is nothing of this kind.');
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
    const request = new Request(`http://localhost${path}${search}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'X-Request-Id': id,
        ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const context = new HttpRequestContext(request, undefined, {
      maxBody: this.#settings.maxBody,
      proxies: new TrustedProxies([]),
    });
    context.found = found;
    context.caller = method === 'GET' ? caller : { ...caller, request: id };
    const response = await found.route.answer(context, noRepeats, this.#content.types.ownRoles);
    return { json: (await response.json()) as RouteAnswer['json'], etag: response.headers.get('etag') ?? '' };
  }
}

/** Tools send no `Idempotency-Key`. */
const noRepeats = {
  answer(): never {
    throw new Error('A tool has sent an Idempotency-Key.');
  },
};
