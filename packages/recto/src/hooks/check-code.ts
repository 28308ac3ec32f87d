import { Cron } from 'croner';
import type { TSchema } from 'typebox';
import type { CronOptions } from './cron.ts';
import type { HookHandlers } from './hooks.ts';
import { type RouteOptions, routeAccess, routeMethods } from './route.ts';

/** One thing that is wrong with what a file exports. */
export interface CodeIssue {
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
  /** A word in the file that stands near it. */
  readonly near?: string;
}

export type Found<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly CodeIssue[] };

/** The longest time that a handler may be given, in seconds: a job that takes longer is done in parts. */
const mostSeconds = 3_600;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFunction = (value: unknown): boolean => typeof value === 'function';

const issue = (path: string, message: string, remedy: string, near?: string): CodeIssue => ({
  path,
  message,
  remedy,
  ...(near === undefined ? {} : { near }),
});

const noExport = (example: string): CodeIssue =>
  issue('', 'has no such default export', `write export default ${example}`, 'export');

function timeIssues(timeout: unknown): readonly CodeIssue[] {
  if (timeout === undefined || (typeof timeout === 'number' && timeout > 0 && timeout <= mostSeconds)) return [];
  return [issue('timeout', `must be a number of seconds up to ${mostSeconds}`, 'write timeout: 30', 'timeout')];
}

const result = <T>(issues: readonly CodeIssue[], value: () => T): Found<T> =>
  issues.length > 0 ? { ok: false, issues } : { ok: true, value: value() };

/** What a file of `hooks/` exports. */
export function checkHooks(found: unknown): Found<{ readonly type: string; readonly handlers: HookHandlers<string> }> {
  if (!isObject(found) || found.kind !== 'hooks' || typeof found.type !== 'string' || !isObject(found.handlers))
    return { ok: false, issues: [noExport("hooks('article', { … })")] };
  const { type, handlers } = found;
  const names = ['check', 'write', 'after'];
  const wrong = Object.entries(handlers).flatMap(([name, handler]) => {
    if (name === 'timeout') return timeIssues(handler);
    if (!names.includes(name)) return [issue(name, 'is no hook', `there are ${names.join(', ')} and timeout`, name)];
    if (!isFunction(handler)) return [issue(name, 'must be a function', `write ${name}() { … }`, name)];
    return name === 'check' && isAsync(handler) ? [issue(name, 'must not be async', asyncRemedy, name)] : [];
  });
  const isEmpty = !names.some((name) => name in handlers);
  const empty = isEmpty ? [issue('', 'has no hook', `add ${names.join(', ')}, or take the file away`)] : [];
  // True because every member was checked.
  return result([...wrong, ...empty], () => ({ type, handlers: handlers as unknown as HookHandlers<string> }));
}

const asyncRemedy = 'take async away; what has to wait belongs into write or after';

const isAsync = (value: unknown): boolean => Object.prototype.toString.call(value) === '[object AsyncFunction]';

const pathPattern = /^(?:\/(?:[a-z0-9][a-z0-9._-]*|\{[a-z][a-z0-9_]*\}))+$/;

/** What a file of `routes/` exports. */
export function checkRoute(found: unknown): Found<{ readonly options: RouteOptions<TSchema, TSchema> }> {
  if (!isObject(found) || found.kind !== 'route' || !isObject(found.options))
    return { ok: false, issues: [noExport("route({ method: 'GET', path: '/quote', … })")] };
  const { options } = found;
  const { method, access, timeout, handler } = options;
  const issues = [
    ...timeIssues(timeout),
    ...wordIssues('method', method, routeMethods),
    ...pathIssues(options.path),
    ...wordIssues('access', access, routeAccess),
    ...schemaIssues(options),
    ...(isFunction(handler) ? [] : [issue('handler', 'must be a function', 'write handler() { … }', 'handler')]),
  ];
  // True because every member was checked.
  return result(issues, () => ({ options: options as unknown as RouteOptions<TSchema, TSchema> }));
}

const wordIssues = (name: string, value: unknown, values: readonly string[]): readonly CodeIssue[] =>
  typeof value === 'string' && values.includes(value)
    ? []
    : [issue(name, `must be one of ${values.join(', ')}`, `write ${name}: '${values[0]}'`, name)];

function pathIssues(path: unknown): readonly CodeIssue[] {
  if (typeof path !== 'string' || !pathPattern.test(path))
    return [
      issue('path', 'must be a path of small letters that begins with a slash', "write path: '/quotes/{id}'", 'path'),
    ];
  const names = parameterNames(path);
  return new Set(names).size === names.length
    ? []
    : [issue('path', 'names a parameter twice', 'give each a name of its own', 'path')];
}

function schemaIssues({ method, query, body, response, limit }: Readonly<Record<string, unknown>>): CodeIssue[] {
  const wrong: readonly (readonly [name: string, isWrong: boolean, message: string, remedy: string])[] = [
    [
      'query',
      query !== undefined && !isFlatSchema(query),
      'must be the JSON Schema of an object of plain values',
      plainRemedy,
    ],
    [
      'body',
      body !== undefined && !isObjectSchema(body),
      'must be the JSON Schema of an object',
      'write body: Type.Object({ … })',
    ],
    ['body', body !== undefined && method === 'GET', 'is nothing that GET takes', 'take it away, or use POST'],
    [
      'response',
      response !== undefined && !isObject(response),
      'must be a JSON Schema',
      'write response: Type.Object({ … })',
    ],
    [
      'limit',
      limit !== undefined && !isLimit(limit),
      'must have calls and seconds',
      'write limit: { calls: 10, seconds: 60 }',
    ],
  ];
  return wrong.flatMap(([name, isWrong, message, remedy]) => (isWrong ? [issue(name, message, remedy, name)] : []));
}

export const parameterNames = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0;

const plainRemedy = 'write query: Type.Object({ q: Type.String() })';

const isObjectSchema = (schema: unknown): schema is Readonly<Record<string, unknown>> =>
  isObject(schema) && schema.type === 'object';

const isFlatSchema = (schema: unknown): boolean =>
  isObjectSchema(schema) && isObject(schema.properties) && Object.values(schema.properties).every(isPlainSchema);

const isLimit = (limit: unknown): boolean => isObject(limit) && isCount(limit.calls) && isCount(limit.seconds);

/** Query parameters are texts: what they are converted to is plain. */
const isPlainSchema = (schema: unknown): boolean =>
  isObject(schema) && ['string', 'number', 'integer', 'boolean'].includes(String(schema.type));

/** What a file of `jobs/` exports. */
export function checkCron(found: unknown): Found<{ readonly schedule: string; readonly options: CronOptions }> {
  if (!isObject(found) || found.kind !== 'cron' || !isFunction(found.handler) || !isObject(found.options))
    return { ok: false, issues: [noExport("cron('0 6 * * 1', async ({ db }) => { … })")] };
  const { schedule, options } = found;
  const time = typeof schedule === 'string' ? scheduleIssues(schedule) : [wrongSchedule('is no text')];
  // True because it was just checked; what is wrong is not returned.
  return result([...time, ...timeIssues(options.timeout)], () => ({ schedule: String(schedule), options }));
}

const wrongSchedule = (message: string): CodeIssue =>
  issue('schedule', message, "write five fields, such as '0 6 * * 1' for Mondays at 6:00 UTC", 'cron(');

function scheduleIssues(schedule: string): readonly CodeIssue[] {
  try {
    const isFive = schedule.trim().split(/\s+/).length === 5 || schedule.startsWith('@');
    if (!isFive) return [wrongSchedule(`is no cron expression of five fields: ${schedule}`)];
    return new Cron(schedule, { timezone: 'UTC' }).nextRun() === null
      ? [wrongSchedule(`never comes: ${schedule}`)]
      : [];
  } catch {
    return [wrongSchedule(`is no cron expression: ${schedule}`)];
  }
}
