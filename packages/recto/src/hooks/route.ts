import type { Static, TSchema } from 'typebox';
import type { HookDatabase } from './content.ts';
import type { HookCaller } from './hook-caller.ts';
import type { HookMails } from './hook-mail.ts';

export const routeMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export const routeAccess = ['public', 'member', 'admin'] as const;

/** What a route's handler is given. */
export interface RouteContext<Q, B> {
  /** The parameters of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Q;
  readonly body: B;
  readonly caller: HookCaller;
  /** The content with the rights of the caller. */
  readonly db: HookDatabase;
  /** Sends mails through the service’s outbox. */
  readonly mail: HookMails;
  /** Aborted when the time is up, or the service stops. */
  readonly signal: AbortSignal;
}

export interface RouteOptions<Q extends TSchema, B extends TSchema> {
  readonly method: (typeof routeMethods)[number];
  /** Below `/api/v1/x`, with `{name}` for parameters: `/quotes/{id}`. */
  readonly path: string;
  /** Who may call it: `public` anyone, `member` signed-in callers, `admin` the role admin. */
  readonly access: (typeof routeAccess)[number];
  /** One line, for the OpenAPI document. */
  readonly summary?: string;
  /** The JSON Schema of the query parameters, an object of texts, numbers and booleans. Default: there are none. Others are 400. */
  readonly query?: Q;
  /** The JSON Schema of the body, an object. */
  readonly body?: B;
  /** The JSON Schema of the response, for the OpenAPI document. */
  readonly response?: TSchema;
  /** Calls for each account or token, or address of an anonymous caller; more get 429. */
  readonly limit?: { readonly calls: number; readonly seconds: number };
  /** How long the handler may take, in seconds. Default 10. */
  readonly timeout?: number;
  /** What it returns is the body of the response; nothing: 204. */
  handler(context: RouteContext<Static<Q>, Static<B>>): unknown;
}

/** A route of a deployment. */
export interface CustomRoute {
  readonly kind: 'route';
  readonly options: RouteOptions<TSchema, TSchema>;
}

/**
 * A route of one's own, the default export of a file in `routes/`.
 *
 * @example
 * export default route({
 *   method: 'GET',
 *   path: '/newest',
 *   access: 'public',
 *   handler: async ({ db }) => (await db.articles.list({ sort: 'created_at:desc', page_size: 1 })).items[0],
 * });
 */
export const route = <Q extends TSchema = TSchema, B extends TSchema = TSchema>(
  options: RouteOptions<Q, B>,
): CustomRoute => ({
  kind: 'route',
  // True because the handler is called with values that the schemas have accepted.
  options: options as unknown as RouteOptions<TSchema, TSchema>,
});
