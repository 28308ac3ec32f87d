import type { ParamIndexMap, ParamStash, Params, Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import type { Operation } from './operation.ts';
import { Route } from './route.ts';

/** A route that a request's method and path lead to, with the path's parameters as they stand in the URL. */
export class FoundRoute {
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

/**
 * Finds the operation for a method and path, by Hono's routers without its application around them: there is no middleware to run.
 * Operations are grouped by their path's head, the fixed segments before the first parameter, and each group has a router: one
 * router of all would match each path with an expression of as many captures as the service has operations.
 */
export class RouteTable {
  readonly #groups: ReadonlyMap<string, RouteGroup>;
  readonly #longestHead: number;

  /** Throws when two operations have the same method and path. */
  constructor(operations: readonly Operation[]) {
    refuseDoubles(operations);
    const groups = Map.groupBy(operations, ({ path }) => headOf(path));
    this.#groups = new Map([...groups].map(([head, group]) => [head, new RouteGroup(group)]));
    this.#longestHead = Math.max(0, ...[...groups.keys()].map((head) => head.length));
  }

  find(method: string, path: string): FoundRoute | undefined {
    if (path.endsWith('/')) return undefined;
    // The longest head first: `/pages/sitemap` is never taken for a slug.
    for (let end = path.length; end >= 0; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
      if (end > this.#longestHead) continue;
      const match = this.#groups.get(path.slice(0, end))?.router.match(method, path);
      const first = match?.[0][0];
      if (first !== undefined) return new FoundRoute(first[0], first[1], match?.[1]);
    }
    return undefined;
  }

  /** The methods that a path answers, for `Allow`; empty for a path that leads nowhere. */
  allowed(path: string): readonly string[] {
    const methods = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].filter((method) => this.find(method, path) !== undefined);
    if (methods.length === 0) return methods;
    return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted();
  }
}

/** The operations below one head. Their router is made when the first request comes: a service may have thousands of heads. */
class RouteGroup {
  readonly #operations: readonly Operation[];
  #router: Router<Route> | undefined;

  constructor(operations: readonly Operation[]) {
    this.#operations = operations;
  }

  get router(): Router<Route> {
    this.#router ??= routerOf(this.#operations);
    return this.#router;
  }
}

function refuseDoubles(operations: readonly Operation[]): void {
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

function routerOf(operations: readonly Operation[]): Router<Route> {
  const router = new SmartRouter<Route>({ routers: [new RegExpRouter(), new TrieRouter()] });
  // The first match is taken, so of two segments at the same place the fixed one comes before the parameter.
  const key = ({ path }: Operation) => withParameters(path, () => '\uffff');
  for (const operation of operations.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))) {
    const route = new Route(operation);
    const path = withParameters(operation.path, (name) => `:${name}`);
    for (const method of answersPatch(operation) ? ['PUT', 'PATCH'] : [operation.method]) {
      router.add(method, path, route);
    }
  }
  return router;
}

/** Whether PATCH is another method of the operation. */
export const answersPatch = ({ method, patch }: Operation): boolean => method === 'PUT' && patch !== false;

const withParameters = (path: string, replacement: (name: string) => string): string =>
  path.replace(/\{([^}]*)\}/g, (_, name: string) => replacement(name));
