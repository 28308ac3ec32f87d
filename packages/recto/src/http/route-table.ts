import type { ParamIndexMap, ParamStash, Params, Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import type { Operation } from './operation.ts';
import type { RequestedOperation } from './request-context.ts';
import { Route } from './route.ts';

/** A route that a request's method and path lead to. */
export interface FoundRoute extends RequestedOperation {
  readonly route: Route;
}

/**
 * Finds the operation for a method and path, by Hono's routers without its application around them: there is no middleware to run.
 * Operations are grouped by their path's head, the fixed segments before the first parameter: one router of all would match
 * each path with an expression of as many captures as the service has operations. Most requests are for a head itself or for one
 * segment below it, and need no router either.
 */
export class RouteTable {
  readonly #groups: ReadonlyMap<string, RouteGroup>;
  readonly #longestHead: number;

  /** Throws when two operations have the same method and path. */
  constructor(operations: readonly Operation[]) {
    rejectDuplicates(operations);
    const groups = Map.groupBy(operations, ({ path }) => headOf(path));
    this.#groups = new Map([...groups].map(([head, group]) => [head, new RouteGroup(group)]));
    this.#longestHead = Math.max(0, ...[...groups.keys()].map((head) => head.length));
  }

  find(method: string, path: string): FoundRoute | undefined {
    if (path.endsWith('/')) return undefined;
    // The longest head first: `/pages/sitemap` is never taken for a slug.
    for (let end = path.length; end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
      if (end > this.#longestHead) continue;
      const found = this.#groups.get(path.slice(0, end))?.find(method, path, end);
      // A path that is known has the methods of its own template, not those of one that it also fits: `batch` is never an id.
      if (found !== undefined) return found ?? undefined;
    }
    return undefined;
  }

  /** The methods that a path answers, for `Allow`; empty for a path that leads nowhere. */
  allowed(path: string): readonly string[] {
    const own = methods.filter((method) => this.find(method, path) !== undefined);
    if (own.length === 0) return own;
    return [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted();
  }
}

const methods: readonly string[] = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

/** The operations below one head. What they need is made when the first request comes: a service may have thousands of heads. */
class RouteGroup {
  readonly #operations: readonly Operation[];
  #routes: GroupRoutes | undefined;

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
  }

  /** `end`: where the head ends in the path. Undefined: no such path; null: the path has no such method. */
  find(method: string, path: string, end: number): FoundRoute | null | undefined {
    this.#routes ??= groupRoutes(this.#operations);
    const { here, below, deeper } = this.#routes;
    if (path.length === end) return here.size === 0 ? undefined : (here.get(method) ?? null);
    if (path.indexOf('/', end + 1) === -1) {
      if (below.size === 0) return undefined;
      const route = below.get(method);
      return route === undefined ? null : new RouteBelow(route, path.slice(end + 1));
    }
    const match = deeper?.match(method, path);
    const first = match?.[0][0];
    if (first === undefined) return undefined;
    const [route, params] = first;
    return route === null ? null : new RoutedDeeper(route, params, match?.[1]);
  }
}

interface GroupRoutes {
  /** By method: at the head itself. */
  readonly here: ReadonlyMap<string, FoundRoute>;
  /** By method: at `head/{parameter}`. */
  readonly below: ReadonlyMap<string, Route>;
  readonly deeper: Router<DeeperRoute> | undefined;
}

function groupRoutes(operations: readonly Operation[]): GroupRoutes {
  const routes = operations.flatMap((operation) => {
    const route = new Route(operation);
    const own = answersPatch(operation) ? ['PUT', 'PATCH'] : [operation.method];
    return own.map((method) => ({ method, route, depth: depthOf(operation) }));
  });
  const at = (wanted: Depth) => routes.filter(({ depth }) => depth === wanted);
  return {
    here: new Map(at('here').map(({ method, route }) => [method, { route, param: () => undefined }])),
    below: new Map(at('below').map(({ method, route }) => [method, route])),
    deeper: at('deeper').length === 0 ? undefined : routerOf(at('deeper')),
  };
}

/** Null where the template has no operation of the method. */
type DeeperRoute = Route | null;

type Depth = 'here' | 'below' | 'deeper';

function depthOf({ path }: Operation): Depth {
  const parameter = path.indexOf('/{');
  if (parameter === -1) return 'here';
  return path.endsWith('}') && !path.includes('/', parameter + 1) ? 'below' : 'deeper';
}

class RouteBelow implements FoundRoute {
  readonly route: Route;
  readonly #value: string;

  constructor(route: Route, value: string) {
    this.route = route;
    this.#value = value;
  }

  param(name: string): string | undefined {
    return name === this.route.lastParameter ? this.#value : undefined;
  }
}

class RoutedDeeper implements FoundRoute {
  readonly route: Route;
  readonly #params: ParamIndexMap | Params;
  readonly #stash: ParamStash | undefined;

  constructor(route: Route, params: ParamIndexMap | Params, stash: ParamStash | undefined) {
    this.route = route;
    this.#params = params;
    this.#stash = stash;
  }

  param(name: string): string | undefined {
    const value = this.#params[name];
    return typeof value === 'number' ? this.#stash?.[value] : value;
  }
}

function rejectDuplicates(operations: readonly Operation[]): void {
  const taken = new Map<string, Operation>();
  for (const operation of operations) {
    const shape = `${operation.method} ${withParameters(operation.path, () => '{}')}`;
    const other = taken.get(shape);
    if (other !== undefined) throw new Error(`The operations ${other.id} and ${operation.id} are both ${shape}.`);
    taken.set(shape, operation);
  }
}

function headOf(path: string): string {
  const parameter = path.indexOf('/{');
  return parameter === -1 ? path : path.slice(0, parameter);
}

function routerOf(routes: readonly { readonly method: string; readonly route: Route }[]): Router<DeeperRoute> {
  const router = new SmartRouter<DeeperRoute>({ routers: [new RegExpRouter(), new TrieRouter()] });
  const pattern = ({ operation }: Route) => withParameters(operation.path, (name) => `:${name}`);
  const templates = Map.groupBy(routes, ({ route }) => withParameters(route.operation.path, () => '\uffff'));
  // The first match is taken, so of two segments at the same place the fixed one comes before the parameter.
  for (const [, same] of [...templates].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    for (const { method, route } of same) router.add(method, pattern(route), route);
    // Without an operation, too, so that this template is found and not the next one that fits.
    const others = methods.filter((method) => !same.some((one) => one.method === method));
    for (const { route } of same.slice(0, 1)) for (const method of others) router.add(method, pattern(route), null);
  }
  return router;
}

/** Whether PATCH is another method of the operation. */
export const answersPatch = ({ method, patch }: Operation): boolean => method === 'PUT' && patch !== false;

const withParameters = (path: string, replacement: (name: string) => string): string =>
  path.replace(/\{([^}]*)\}/g, (_, name: string) => replacement(name));
