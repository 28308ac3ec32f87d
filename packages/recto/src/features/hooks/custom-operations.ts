import type { TObject, TSchema } from 'typebox';
import type { RateCounters } from '../../auth/rate-counters.ts';
import { rateLimiter } from '../../auth/rate-limiter.ts';
import { callerId, tenantAsked } from '../../base/caller.ts';
import { unavailable } from '../../base/problem.ts';
import { systemFor } from '../../hooks/after-events.ts';
import { parameterNames } from '../../hooks/check-code.ts';
import { hookCaller } from '../../hooks/hook-caller.ts';
import { HookError } from '../../hooks/hook-error.ts';
import type { HookRunner } from '../../hooks/hook-runner.ts';
import { HookTimeout } from '../../hooks/hook-thread.ts';
import type { LoadedRoute } from '../../hooks/loaded-code.ts';
import { routeOperationId } from '../../hooks/route-operation-id.ts';
import type { Operation, ProblemResponse, RequestContext } from '../../http/operation.ts';
import type { Records } from '../../records/records.ts';

export interface CustomRouteParts {
  readonly records: Records;
  readonly runner: HookRunner;
  /** Null where nothing is rate limited. */
  readonly counters: RateCounters | null;
}

/** Where the routes of a deployment are. */
export const customPrefix = '/api/v1/x';

/** The routes of a deployment. */
export const customOperations = (routes: readonly LoadedRoute[], parts: CustomRouteParts): readonly Operation[] =>
  routes.map((route) => customOperation(route, parts));

function customOperation(route: LoadedRoute, parts: CustomRouteParts): Operation {
  const { method, path, access, summary, query, body, response, limit } = route.options;
  const limited = limit === undefined || parts.counters === null ? undefined : limiter(route, parts.counters);
  const names = parameterNames(path);
  const problems: ProblemResponse[] = [400, 503];
  if (body !== undefined) problems.push(422);
  if (limit !== undefined) problems.push(429);
  return {
    id: routeOperationId(route),
    method,
    patch: false,
    path: `${customPrefix}${path}`,
    tag: 'custom',
    summary: summary ?? `${method} ${path}`,
    security: access === 'public' ? 'optional' : 'bearer',
    ...(access === 'admin' ? { roles: ['admin'] } : {}),
    ...(query === undefined ? {} : { query: { schema: querySchema(query), validation: 'schema' } }),
    ...(body === undefined ? {} : { body: { schema: body, validation: 'schema' } }),
    responses: {
      200: { description: 'What the handler returned.', ...(response === undefined ? {} : { schema: response }) },
      204: { description: 'The handler returned nothing.' },
    },
    problems,
    async handle(context) {
      await limited?.(callerId(context.caller) ?? context.address);
      const params = Object.fromEntries(names.map((name) => [name, context.param(name)]));
      const sent = body === undefined ? null : await context.body();
      const text = await answer(route, parts, { context, params, sent });
      const headers = { 'Cache-Control': 'no-store' };
      if (text === null) return new Response(null, { status: 204, headers });
      return new Response(text, { headers: { ...headers, 'Content-Type': 'application/json' } });
    },
  };
}

/** A parameter with a default may be left out. */
function querySchema(query: TSchema): TObject {
  // True because it was checked when the file was loaded.
  const { required = [], ...rest } = query as TObject & { readonly required?: readonly string[] };
  const needed = required.filter((name) => Object(rest.properties[name]).default === undefined);
  // True of any list of names.
  return { ...rest, required: needed } as unknown as TObject;
}

interface Asked {
  readonly context: RequestContext;
  readonly params: Readonly<Record<string, string>>;
  readonly sent: unknown;
}

async function answer(
  route: LoadedRoute,
  { records, runner }: CustomRouteParts,
  { context, params, sent }: Asked,
): Promise<string | null> {
  const { caller, query, id } = context;
  const input = { params, query, body: sent, caller: hookCaller(caller) };
  const task = { phase: 'route', path: route.path, input } as const;
  const rights = { caller, system: systemFor(id, tenantAsked(caller)) };
  try {
    return await runner.run(route, { task, records, rights, timeout: route.options.timeout });
  } catch (error) {
    const isLate = error instanceof HookError && error.cause instanceof HookTimeout;
    throw isLate ? unavailable('handler_timeout', 'The handler of this route took too long.', error) : error;
  }
}

function limiter({ name, options: { limit } }: LoadedRoute, counters: RateCounters) {
  const { calls, seconds } = limit ?? { calls: 1, seconds: 1 };
  return rateLimiter(counters, { name: `route:${name}`, points: calls, seconds, detail: 'Too many calls.' });
}
