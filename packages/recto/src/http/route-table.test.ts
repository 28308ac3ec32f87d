import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import type { Operation } from './operation.ts';
import { RouteTable } from './route-table.ts';

const operation = (method: Operation['method'], path: string): Operation => ({
  id: `${method} ${path}`,
  method,
  path,
  tag: 'test',
  summary: 'An operation of the test',
  security: 'none',
  responses: {},
  problems: [],
  handle: () => new Response(null),
});

/** What the table finds, as text: the operation and its parameters as they stand in the path. */
function found(table: RouteTable, method: string, path: string, names: readonly string[]): string | undefined {
  const route = table.find(method, path);
  if (route === undefined) return undefined;
  const params = names.flatMap((name) => {
    const value = route.param(name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
  return [route.route.operation.id, ...params].join(' ');
}

describe('a path leads to', () => {
  const table = new RouteTable([
    operation('GET', '/pages'),
    operation('GET', '/pages/{slug}'),
    operation('GET', '/pages/sitemap'),
    operation('PUT', '/pages/{id}'),
    operation('GET', '/pages/{id}/revisions/{revision}'),
    operation('GET', '/pages/{id}/revisions/latest'),
    operation('POST', '/pages/{id}/publish'),
    operation('GET', '/pages/sitemap/{part}'),
    operation('POST', '/pages/batch'),
    operation('DELETE', '/pages/{id}'),
    operation('DELETE', '/pages/{id}/revisions/{revision}'),
  ]);

  test.each([
    ['/pages', 'GET, HEAD, OPTIONS'],
    ['/pages/7', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['/pages/batch', 'OPTIONS, POST'],
    ['/pages/sitemap', 'GET, HEAD, OPTIONS'],
    ['/pages/7/revisions/3', 'DELETE, GET, HEAD, OPTIONS'],
    ['/pages/7/revisions/latest', 'GET, HEAD, OPTIONS'],
    ['/pages/7/nothing', ''],
  ])('%s answers %s', (path, methods) => {
    expect(table.allowed(path).join(', ')).toBe(methods);
  });

  test.each([
    ['GET', '/pages', 'GET /pages'],
    ['GET', '/pages/about', 'GET /pages/{slug} slug=about'],
    ['GET', '/pages/a%2Fb', 'GET /pages/{slug} slug=a%2Fb'],
    ['GET', '/pages/sitemap', 'GET /pages/sitemap'],
    ['GET', '/pages/sitemap/2', 'GET /pages/sitemap/{part} part=2'],
    ['PUT', '/pages/sitemap', undefined],
    ['POST', '/pages/7/revisions/latest', undefined],
    ['PATCH', '/pages/7', 'PUT /pages/{id} id=7'],
    ['GET', '/pages/7/revisions/3', 'GET /pages/{id}/revisions/{revision} id=7 revision=3'],
    ['GET', '/pages/7/revisions/latest', 'GET /pages/{id}/revisions/latest id=7'],
    ['POST', '/pages/7/publish', 'POST /pages/{id}/publish id=7'],
    ['GET', '/pages/7/publish', undefined],
    ['POST', '/pages/7', undefined],
    ['GET', '/pages/', undefined],
    ['GET', '/pages//', undefined],
    ['GET', '/pages//revisions/3', undefined],
    ['GET', '/page', undefined],
    ['GET', '/', undefined],
    ['GET', '', undefined],
  ])('%s %s: %s', (method, path, expected) => {
    expect(found(table, method, path, ['slug', 'id', 'revision', 'part'])).toBe(expected);
  });
});

test('any path leads where comparing it with each operation, segment by segment, leads', () => {
  const segment = fc.constantFrom('a', 'b', 'c', '{x}', '{y}');
  const shape = fc.record({
    method: fc.constantFrom<Operation['method'][]>('GET', 'PUT', 'POST'),
    segments: fc.array(segment, { minLength: 1, maxLength: 4 }),
  });
  const asked = fc.record({
    method: fc.constantFrom('GET', 'PUT', 'PATCH', 'POST', 'DELETE'),
    segments: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'x%20y', ''), { maxLength: 5 }),
  });
  const named = ({ segments }: { readonly segments: readonly string[] }): string =>
    // The name of a parameter says its place, so that no path has one twice.
    `/${segments.map((part, place) => (part.startsWith('{') ? `{p${place}}` : part)).join('/')}`;
  fc.assert(
    fc.property(
      fc.uniqueArray(shape, { minLength: 1, maxLength: 12, selector: (one) => `${one.method} ${named(one)}` }),
      fc.array(asked, { minLength: 1, maxLength: 20 }),
      (shapes, requests) => {
        const operations = shapes.map((one) => operation(one.method, named(one)));
        const table = new RouteTable(operations);
        for (const { method, segments } of requests) {
          const path = `/${segments.join('/')}`;
          const names = ['p0', 'p1', 'p2', 'p3'];
          expect(found(table, method, path, names)).toBe(expected(operations, method, path));
        }
      },
    ),
    { numRuns: randomCases(300) },
  );
});

/** Of all paths that fit the one whose first segment that differs is fixed, and not a parameter; of its operations that of the method. */
function expected(operations: readonly Operation[], method: string, path: string): string | undefined {
  const segments = path.split('/').slice(1);
  const wanted = method === 'PATCH' ? 'PUT' : method;
  const fitting = operations.filter((candidate) => {
    const parts = candidate.path.split('/').slice(1);
    if (parts.length !== segments.length) return false;
    return parts.every((part, place) => {
      const asked = segments[place] ?? '';
      return part.startsWith('{') ? asked !== '' : part === asked;
    });
  });
  const rank = ({ path }: Operation): string => path.replaceAll(/\{[^}]*\}/g, '\uffff');
  const first = fitting.map(rank).toSorted()[0];
  const best = fitting.find((candidate) => rank(candidate) === first && candidate.method === wanted);
  if (best === undefined) return undefined;
  const params = best.path
    .split('/')
    .slice(1)
    .flatMap((part, place) => (part.startsWith('{') ? [`${part.slice(1, -1)}=${segments[place]}`] : []));
  return [best.id, ...params].join(' ');
}
