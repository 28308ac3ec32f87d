import { describe, expect, test } from 'bun:test';
import { sampleApp, sampleOperations } from '../../../../test/support/sample-app.ts';
import { type Scenario, scenarios } from '../../../../test/support/scenario.ts';
import { createLogger } from '../base/logger.ts';
import type { App, FinishedRequest } from './app.ts';

const app = sampleApp();
const scenario = scenarios({ app: () => app, token: (name) => name });
const id = '0193a2b0-0000-7000-8000-000000000000';

type Row = readonly [name: string, request: string, expect: Scenario['expect'], more?: Partial<Scenario>];

function table(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    for (const [name, request, expected, more] of rows) scenario(name, { request, ...more, expect: expected });
  });
}

const notFound = { status: 404, code: 'route_not_found' };

table('paths and methods', [
  ['a parameter', 'GET /pages/about', { status: 200, exactBody: { slug: 'about' } }],
  ['a parameter is decoded', 'GET /pages/a%2Fb%20%C3%A9', { status: 200, exactBody: { slug: 'a/b é' } }],
  ['a plus is a plus', 'GET /pages/a+b', { status: 200, exactBody: { slug: 'a+b' } }],
  ['a fixed segment before a parameter', 'GET /pages/sitemap', { status: 200, exactBody: '"the sitemap"' }],
  [
    'another method of that path does not go to the parameter',
    'PUT /pages/sitemap',
    { status: 405, headers: { Allow: 'GET, HEAD, OPTIONS' } },
  ],
  ['a fragment is no part of it', 'GET /pages/about#x?y', { status: 200, exactBody: { slug: 'about' } }],
  ['nothing there', 'GET /nothing', notFound],
  ['nothing there, a hundred levels deep', `GET ${'/x'.repeat(100)}`, notFound],
  ['only slashes', `GET ${'/'.repeat(5000)}`, notFound],
  ['the root', 'GET /', notFound],
  ['a slash at the end', 'GET /sync/', notFound],
  ['a slash for a parameter', 'GET /pages/', notFound],
  ['a parameter is one segment', 'GET /pages/a/b', notFound],
  ['names of every object', 'GET /__proto__/constructor', notFound],
  ['percent without digits', 'GET /pages/%zz', { status: 400, code: 'malformed_encoding' }],
  ['percent-encoded Latin-1', 'GET /pages/%e9', { status: 400, code: 'malformed_encoding' }],
  ['a character cut in two', 'GET /pages/%C3?%A9', { status: 400, code: 'malformed_encoding' }],
  ['NUL in a path', 'GET /pages/a%00', { status: 400, code: 'malformed_encoding' }],
  ['percent without digits in the query', 'GET /own?q=%', { status: 400, code: 'malformed_encoding' }],
  ['NUL in the query', 'GET /own?q=%00', { status: 400, code: 'malformed_encoding' }],
  [
    'another method',
    'POST /pages/about',
    { status: 405, code: 'method_not_allowed', headers: { Allow: 'GET, HEAD, OPTIONS, PATCH, PUT' } },
  ],
  ['a method without GET', 'GET /things', { status: 405, headers: { Allow: 'OPTIONS, POST' } }],
  ['OPTIONS', 'OPTIONS /things', { status: 204, exactBody: '', headers: { Allow: 'OPTIONS, POST' } }],
  ['OPTIONS of nothing', 'OPTIONS /nothing', notFound],
  ['a parameter that its schema does not accept', 'GET /things/7', { status: 404, code: 'not_found' }],
  ['a parameter that its schema accepts', `GET /things/${id}`, { status: 200 }],
  ['HEAD', 'HEAD /sync', { status: 200, exactBody: '', headers: { 'Content-Length': '11', ETag: '"x"' } }],
  ['HEAD of what has only POST', 'HEAD /things', { status: 405, exactBody: '' }],
  ['HEAD of nothing', 'HEAD /nothing', { status: 404, exactBody: '' }],
]);

table('headers', [
  [
    'every answer has an id and is not guessed at',
    'GET /sync',
    { status: 200, headers: { 'X-Content-Type-Options': 'nosniff' } },
  ],
  [
    'a problem too',
    'GET /nothing',
    { status: 404, headers: { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' } },
  ],
  [
    'an id that was sent',
    'GET /sync',
    { status: 200, headers: { 'X-Request-Id': 'my-id_1.2' } },
    { headers: { 'X-Request-Id': 'my-id_1.2' } },
  ],
  [
    'in a problem',
    'GET /nothing',
    { status: 404, body: { request_id: 'abc', type: 'urn:recto:problem:route_not_found' } },
    { headers: { 'X-Request-Id': 'abc' } },
  ],
  [
    'not an odd one',
    'GET /sync',
    { status: 200, headers: { 'X-Request-Id': /^[0-9a-f]{12}-\w+$/ } },
    { headers: { 'X-Request-Id': 'a b' } },
  ],
  [
    'not a long one',
    'GET /sync',
    { status: 200, headers: { 'X-Request-Id': /^.{1,30}$/ } },
    { headers: { 'X-Request-Id': 'a'.repeat(65) } },
  ],
]);

const asVisitor = { caller: { kind: 'anonymous' } };

table('callers', [
  ['an anonymous caller', 'GET /optional', { status: 200, body: asVisitor }],
  ['someone', 'GET /optional', { status: 200, body: { caller: { role: 'member' } } }, { as: 'member' }],
  [
    'someone, found out later',
    'GET /optional',
    { status: 200, body: { caller: { role: 'member' } } },
    { as: 'later-member' },
  ],
  [
    'a bad token where none is needed',
    'GET /sync',
    { status: 401, code: 'token_invalid', headers: { 'WWW-Authenticate': 'Bearer' } },
    { as: 'x' },
  ],
  ['an empty Authorization', 'GET /sync', { status: 401 }, { headers: { Authorization: ' ' } }],
  [
    'an anonymous caller where a token is needed',
    'GET /member',
    { status: 401, code: 'authentication_required', headers: { 'WWW-Authenticate': 'Bearer' } },
  ],
  ['anyone with a token', 'GET /member', { status: 200 }, { as: 'member' }],
  ['a role that may', `DELETE /things/${id}`, { status: 204, exactBody: '' }, { as: 'admin' }],
  ['a role that may not', `DELETE /things/${id}`, { status: 403, code: 'insufficient_role' }, { as: 'member' }],
  ['a role that may not, found out later', `DELETE /things/${id}`, { status: 403 }, { as: 'later-member' }],
  ['access is checked before existence', 'DELETE /things/7', { status: 401 }],
]);

const invalid = { status: 400, code: 'invalid_parameter' };

table('query parameters', [
  ['defaults', 'GET /filtered', { status: 200, body: { query: { page: 1 } } }],
  ['a bare question mark', 'GET /filtered?', { status: 200, body: { query: { page: 1 } } }],
  [
    'converted',
    'GET /filtered?page=3&ratio=-1.5&deep=true&kind=b&text=a+b',
    { status: 200, body: { query: { page: 3, ratio: -1.5, deep: true, kind: 'b', text: 'a b' } } },
  ],
  ['empty pieces', 'GET /filtered?&&page=2&', { status: 200, body: { query: { page: 2 } } }],
  ['not whole', 'GET /filtered?page=1.5', invalid],
  ['not a number', 'GET /filtered?page=test', invalid],
  ['empty', 'GET /filtered?page=', invalid],
  ['exponent', 'GET /filtered?ratio=1e3', invalid],
  ['out of range', 'GET /filtered?page=0', { ...invalid, bodyContains: ['\\"page\\" must be 1 or more.'] }],
  ['not a boolean', 'GET /filtered?deep=1', invalid],
  ['not one of the words', 'GET /filtered?kind=c', { ...invalid, bodyContains: ['must be one of: a, b.'] }],
  ['too long', 'GET /filtered?text=abcd', invalid],
  ['twice', 'GET /filtered?page=1&page=1', { status: 400, code: 'doubled_parameter' }],
  [
    'unknown',
    'GET /filtered?pgae=1',
    { status: 400, code: 'unknown_parameter', bodyContains: ['pgae', 'page, ratio'] },
  ],
  ['unknown to every object', 'GET /filtered?__proto__=1', { status: 400, code: 'unknown_parameter' }],
  ['none are taken', 'GET /sync?a=1', { status: 400, code: 'unknown_parameter', bodyContains: ['none are taken'] }],
  ['missing', 'GET /needy', { status: 400, code: 'missing_parameter' }],
  ['not missing', 'GET /needy?q=', { status: 200, body: { query: { q: '' } } }],
  ['left to the operation', 'GET /own?x=%20&x=2', { status: 200, body: { search: 'x=%20&x=2', query: {} } }],
]);

const bytes = (...values: readonly number[]): Uint8Array<ArrayBuffer> => new Uint8Array(values);
const post = 'POST /things';
const type = (value: string): Partial<Scenario> => ({ body: '{}', headers: { 'Content-Type': value } });
const unsupported = { status: 415, code: 'unsupported_media_type' };
const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

table('JSON bodies', [
  [
    'read once, available as often as asked',
    post,
    { status: 200, exactBody: { body: { a: 1 }, same: true } },
    { body: { a: 1 } },
  ],
  ['with charset', post, { status: 200 }, type('application/json; charset=UTF-8')],
  ['with charset in quotes', post, { status: 200 }, type('Application/JSON;charset="utf-8"')],
  ['a type that is JSON', post, { status: 200 }, type('application/merge-patch+json')],
  ['another charset', post, unsupported, type('application/json; charset=latin1')],
  ['another type', post, unsupported, type('text/plain')],
  ['a type that only begins like it', post, unsupported, type('application/jsonp')],
  ['no type', post, unsupported, type('')],
  ['compressed', post, unsupported, { body: '{}', headers: { 'Content-Encoding': 'gzip' } }],
  ['no body', post, { status: 400, code: 'body_missing' }],
  ['an empty body', post, { status: 400, code: 'body_missing' }, { body: '' }],
  ['as large as may be', post, { status: 200 }, { body: `{"a":"${'x'.repeat(992)}"}` }],
  ['too large', post, { status: 413, code: 'body_too_large' }, { body: `{"a":"${'x'.repeat(993)}"}` }],
  ['announced as too large', post, { status: 413 }, { body: '{}', headers: { 'Content-Length': '1001' } }],
  [
    'announced smaller than it is',
    post,
    { status: 413 },
    { body: 'x'.repeat(1001), headers: { 'Content-Length': '2' } },
  ],
  ['not UTF-8', post, { status: 400, code: 'malformed_encoding' }, { body: bytes(0x7b, 0xff, 0x7d) }],
  ['a byte order mark', post, { status: 200 }, { body: bytes(0xef, 0xbb, 0xbf, 0x7b, 0x7d) }],
  ['not JSON', post, { status: 400, code: 'malformed_json' }, { body: '{"a":}' }],
  ['more than JSON', post, { status: 400, code: 'malformed_json' }, { body: '{} {}' }],
  ['as deep as may be', post, { status: 200 }, { body: nested(64) }],
  ['too deep', post, { status: 400, code: 'nested_too_deep' }, { body: nested(65) }],
  ['brackets in text are not depth', post, { status: 200 }, { body: { a: `\\"${'['.repeat(100)}` } }],
  ['an array', post, { status: 400, code: 'body_not_object' }, { body: '[]' }],
  ['null', post, { status: 400, code: 'body_not_object' }, { body: 'null' }],
  [
    'names that every object has',
    post,
    { status: 200, bodyContains: ['{"7":2,"__proto__":{"x":1}}'] },
    { body: '{"__proto__":{"x":1},"7":2}' },
  ],
  ['PATCH is PUT', 'PATCH /pages/x', { status: 200, body: { body: { title: 'a' } } }, { body: { title: 'a' } }],
  [
    'all errors at once',
    'PUT /pages/x',
    {
      status: 422,
      code: 'validation_failed',
      errors: { title: 'too_long', 'items[1].id': 'required', other: 'unknown_field', __proto__x: 'unknown_field' },
    },
    { body: { title: 'abcdef', items: [{ id: 'a' }, {}], other: 1, __proto__x: 2 } },
  ],
]);

describe('JSON bodies, with a large limit', () => {
  const large = sampleApp({ maxBody: 1 << 21 });
  const scenario = scenarios({ app: () => large });
  const deep = { status: 400, code: 'nested_too_deep' };
  scenario('a megabyte of brackets', { request: post, body: '['.repeat(1 << 20), expect: deep });
  scenario('a megabyte of braces', { request: post, body: '{"a":'.repeat(200_000), expect: deep });
});

table('failures', [
  [
    'an unexpected error exposes no internals',
    'GET /broken',
    { status: 500, code: 'internal_error', bodyLacks: ['secret'] },
  ],
  ['nor one that comes later', 'GET /broken/later', { status: 500, code: 'internal_error', bodyLacks: ['secret'] }],
  ['a problem', 'GET /refused', { status: 409, code: 'stale', body: { title: 'Conflict', detail: 'Too late.' } }],
  ['a problem with a cause', 'GET /away', { status: 503, bodyLacks: ['disk'], headers: { 'Retry-After': '1' } }],
]);

describe('the app', () => {
  test('answers without a promise where nothing waits', () => {
    expect(app.fetch(new Request('http://x/sync'))).toBeInstanceOf(Response);
    expect(app.fetch(new Request('http://x/nothing'))).toBeInstanceOf(Response);
  });

  test('reports the address of the peer, not the one that the caller claims', async () => {
    const request = new Request('http://x/optional', { headers: { 'X-Forwarded-For': '10.0.0.1' } });
    const response = await app.fetch(request, () => '192.0.2.7');
    expect(await response.json()).toMatchObject({ address: '192.0.2.7' });
  });

  test('gives every request another id', async () => {
    const ids = await Promise.all(
      Array.from({ length: 100 }, async () =>
        (await app.fetch(new Request('http://x/sync'))).headers.get('x-request-id'),
      ),
    );
    expect(new Set(ids).size).toBe(100);
  });

  test('rejects two operations at one path', () => {
    const again = { ...sampleOperations[0], id: 'again', path: '/pages/{name}' } as (typeof sampleOperations)[number]; // there is a first one
    expect(() => sampleApp({ operations: [...sampleOperations, again] })).toThrow(
      'getBySlug and again are both GET /pages/{}',
    );
  });

  test('has no routes without operations', async () => {
    expect((await sampleApp({ operations: [] }).fetch(new Request('http://x/'))).status).toBe(404);
  });

  test('notifies the observer of every request', async () => {
    const seen: FinishedRequest[] = [];
    const observed = sampleApp({ observe: (finished) => seen.push(finished) });
    for (const [method, path] of [
      ['GET', '/pages/x'],
      ['HEAD', '/sync'],
      ['GET', '/nothing'],
      ['PATCH', '/pages/x'],
      ['GET', '/broken/later'],
    ]) {
      await observed.fetch(new Request(`http://x${path}`, { method: method ?? '' }));
    }
    expect(seen.map(({ operation, method, status }) => [operation?.id ?? null, method, status])).toEqual([
      ['getBySlug', 'GET', 200],
      ['sync', 'HEAD', 200],
      [null, 'GET', 404],
      ['putPage', 'PATCH', 400],
      ['brokenLater', 'GET', 500],
    ]);
    expect(seen.every(({ seconds }) => seconds >= 0 && seconds < 60)).toBe(true);
  });
});

describe('the log', () => {
  async function logOf(level: 'debug' | 'error', path: string): Promise<Record<string, unknown>[]> {
    const lines: string[] = [];
    const log = createLogger(level, { write: (line) => lines.push(line) });
    await sampleApp({ log }).fetch(new Request(`http://x${path}`, { headers: { 'X-Request-Id': 'r1' } }));
    return lines.map((line) => JSON.parse(line));
  }

  test('has the inside of an error', async () => {
    const [line, ...rest] = await logOf('error', '/broken/later');
    expect(rest).toEqual([]);
    expect(line).toMatchObject({ level: 'error', request_id: 'r1', method: 'GET', route: '/broken/later' });
    expect(line).toMatchObject({
      err: { type: 'TypeError', message: 'the secret inside', stack: expect.stringContaining('at ') },
    });
  });

  test('has the cause of a problem of ours', async () => {
    const [line] = await logOf('error', '/away');
    expect(JSON.stringify(line)).toContain('the disk is full');
  });

  test('has no word of a problem of the caller', async () => {
    expect(await logOf('error', '/refused')).toEqual([]);
  });

  test('has every request at debug level, without its query', async () => {
    const [line] = await logOf('debug', '/own?q=private');
    expect(line).toMatchObject({ level: 'debug', request_id: 'r1', method: 'GET', path: '/own', status: 200 });
    expect(line?.duration_ms).toBeNumber();
    expect(JSON.stringify(line)).not.toContain('private');
  });
});

describe('a failure while content types change', () => {
  const [put] = sampleOperations.filter(({ id }) => id === 'putPage');
  const failing = [
    ...sampleOperations.filter(({ id }) => id === 'brokenLater'),
    ...(put === undefined ? [] : [{ ...put, handle: () => Promise.reject(new Error('no such column')) }]),
  ];
  const next = sampleApp({
    operations: failing.map((operation) => ({ ...operation, handle: async () => new Response('of the new types') })),
  });
  const put1 = { method: 'PUT', body: '{"title":"a"}', headers: { 'Content-Type': 'application/json' } };
  const requests = [
    ['/broken/later', {}],
    ['/broken/later', { method: 'HEAD' }],
    ['/pages/a', put1],
  ] as const;
  const answersOf = async (latest: (app: App) => App) => {
    const lines: string[] = [];
    const app: App = sampleApp({
      operations: failing,
      latest: () => latest(app),
      log: createLogger('info', { write: (line) => lines.push(JSON.parse(line).level) }),
    });
    const answers = requests.map(async ([path, init]) => {
      const response = await app.fetch(new Request(`http://recto.test${path}`, init));
      return [response.status, (await response.text()).slice(0, 16)];
    });
    return { answers: await Promise.all(answers), lines };
  };

  test('begins again where it only reads, and is to be sent again where it writes', async () => {
    const { answers, lines } = await answersOf(() => next);
    expect(answers.map(([status]) => status)).toEqual([200, 200, 503]);
    expect(answers.map(([, text]) => text).slice(0, 2)).toEqual(['of the new types', '']);
    expect(lines).toEqual(['warn']);
  });

  test('is a failure where they are still the same', async () => {
    const { answers, lines } = await answersOf((app) => app);
    expect(answers.map(([status]) => status)).toEqual([500, 500, 500]);
    expect(lines).toEqual(['error', 'error', 'error']);
  });
});
