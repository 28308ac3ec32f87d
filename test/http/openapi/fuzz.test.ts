// databases: sqlite, postgres:rest
import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Role } from '../../../packages/recto/src/base/caller.ts';
import { onPostgres } from '../../support/database/database.ts';
import { magazine } from '../../support/magazine.ts';
import { seeded } from '../../support/openapi/openapi-calls.ts';
import { type DocumentedOperation, OpenApiReader } from '../../support/openapi/openapi-reader.ts';
import { archive, preference, specimen, ticket } from '../../support/openapi/openapi-types.ts';
import { valuesOf } from '../../support/openapi/schema-values.ts';
import { randomCases } from '../../support/random-cases.ts';
import { TestService } from '../../support/service.ts';

// Whatever is sent, it is never a failure of the service, and what is stored stays sound.

const types = [...(await magazine()), specimen, ticket, archive, preference];
const service = await TestService.open(types, { builtIn: true, maxBody: 20_000, maxPageSize: 7 });
afterAll(() => service.database.close());
await service.account('ada', 'admin');
const reader = new OpenApiReader((await service.send('GET /api/v1/openapi.json')).json);
const stems = ['specimen', 'article', 'author', 'topic', 'ticket', 'page', 'post'];
// The requests make content types of their own, which this document does not describe.
const served = service.types.all.length;
const ids: string[] = [];
const idsOf: Record<string, string[]> = {};
const slugs: string[] = [];
for (const stem of stems) {
  for (let round = 0; round < 4; round++) {
    const { id, slug } = await seeded(service, stem);
    ids.push(id);
    idsOf[stem] = [...(idsOf[stem] ?? []), id];
    if (slug !== undefined) slugs.push(slug);
  }
}
for (const slug of slugs.slice(-4)) {
  const sent = { as: 'ada', body: { content: `About ${slug}.` } };
  ids.push((await service.send(`POST /api/v1/posts/${slug}/comments/authed`, sent)).json.id);
}

async function apiToken(role: Role): Promise<string> {
  const made = await service.send('POST /api/v1/admin/api-tokens', { as: 'ada', body: { name: role, role } });
  return made.json.token;
}
const admin = await apiToken('admin');
const tokens = [admin, admin, admin, await apiToken('editor'), await apiToken('member')];

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '%',
    '%00',
    '%ff',
    '%2e%2e%2f',
    '../..',
    "' OR 1=1 --",
    '"',
    '\\',
    '\u202e',
    '😀',
    '1e999',
    '-0',
    'null',
    'true',
    '{}',
    '[]',
    '__proto__',
    'constructor',
    '*',
    'NEAR("a" "b")',
    '-9223372036854775809',
    '2026-02-30',
    'x'.repeat(3000),
  ),
);
const fieldNames = [...new Set(service.types.all.flatMap((type) => type.fields.map(({ name }) => name)))];
const name = fc.constantFrom(...fieldNames, '__meta.a', '__meta.a.b', '__meta.', 'nope');
const words = fc.constantFrom('asc', 'desc', 'draft', 'published', '1', '2', '0', '2026-11-21', 'n1', '10:00', ...ids);

/** A filter of own fields and of paths through relations, more or less. */
const path = fc.oneof(
  name,
  fc.constantFrom(
    'author.name',
    'topics.name',
    'articles.title',
    'keeper.name',
    'labels.name',
    'parent.title',
    'topics',
    'id',
  ),
);
const operator = fc.constantFrom('=', '!=', '<', '>=', '~', '!~', '?=', '?!=', '?~', '?>');
const operand = fc.oneof(
  words.map((text) => `"${text}"`),
  name,
  fc.constantFrom('1', 'null', 'true', '"%a%"', '@now'),
);
const condition = fc.tuple(path, operator, operand).map((parts) => parts.join(' '));
const filter = fc
  .tuple(condition, fc.constantFrom('', '&&', '||'), condition)
  .map(([first, joint, second]) => (joint === '' ? first : `${first} ${joint} ${second}`));

/** Parameters of a list as they could be meant, more or less. */
const parameter = fc.oneof(
  fc.tuple(name, fc.oneof(words, oddText)),
  fc.tuple(
    fc.constant('sort'),
    fc
      .array(fc.tuple(name, fc.constantFrom(':asc', ':desc', ':', '')), { maxLength: 4 })
      .map((terms) => terms.map((term) => term.join('')).join()),
  ),
  fc.tuple(fc.constant('search'), fc.oneof(words, oddText)),
  fc.tuple(fc.constant('filter'), fc.oneof(filter, oddText)),
  fc.tuple(
    fc.constant('include'),
    fc
      .array(
        fc.constantFrom(
          'author',
          'topics',
          'articles',
          'keeper',
          'labels',
          'parent.parent',
          'parent.keeper.articles',
          'author.articles.author',
          'nope',
          '',
        ),
        { maxLength: 4 },
      )
      .map((all) => all.join()),
  ),
  fc.tuple(
    fc.constantFrom('page', 'page_size', 'skip_total'),
    fc.oneof(fc.constantFrom('1', '2', '7', 'true', 'false', '999999999999'), oddText),
  ),
);
const escaped = (text: string): string => encodeURIComponent(text.toWellFormed());
const query = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(parameter, { maxLength: 4 })
      .map((all) => all.map(([key, value]) => `${escaped(key)}=${escaped(value)}`).join('&')),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.oneof(oddText, fc.constantFrom('&', '=', '?', '#', '+', ';', '%')), { maxLength: 6 })
      .map((all) => all.join('')),
  },
);

const someOf = (stem: string) => fc.constantFrom(...(idsOf[stem] ?? []));
const existing = {
  keeper: someOf('author'),
  author: someOf('author'),
  twin: fc.constant(null),
  parent: fc.constant(null),
  parent_id: fc.constant(null),
  labels: fc.tuple(someOf('topic')),
  others: fc.uniqueArray(someOf('topic')),
  topics: fc.uniqueArray(someOf('topic')),
  picture: fc.constant('/a.png'),
  portrait: fc.constant(null),
  cover_image: fc.constant('/a.png'),
  ids: fc.uniqueArray(fc.oneof(someOf('page'), someOf('post')), { maxLength: 2 }),
  big: fc.constant('5'),
  rate: fc.constant('0.5'),
  season: fc.constant('2026-11-21'),
};

const bodyOf = ({ bodySchema }: DocumentedOperation): fc.Arbitrary<string | undefined> => {
  if (bodySchema === undefined) return fc.oneof(fc.constant(undefined), fc.json());
  const whole = valuesOf(bodySchema, reader.resolve).map(
    (value) => structuredClone(Object(value)) as Record<string, unknown>,
  );
  const change = fc.tuple(
    fc.oneof(name, fc.constant('status'), oddText),
    fc.oneof(
      fc.jsonValue(),
      oddText,
      fc.constantFrom(...ids),
      fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 3 }),
    ),
  );
  const changed = fc
    .tuple(whole, fc.array(change, { maxLength: 3 }))
    .map(([value, changes]) => JSON.stringify({ ...value, ...Object.fromEntries(changes) }));
  const cut = fc.tuple(changed, fc.nat(), fc.nat(), oddText).map(([text, from, length, put]) => {
    const start = from % (text.length + 1);
    return text.slice(0, start) + put + text.slice(start + (length % 5));
  });
  // Most of the time what is related exists, so that not all is rejected for the same reason.
  const fitting = fc.tuple(whole, fc.record(existing)).map(([value, all]) => {
    for (const [key, fit] of Object.entries(all)) if (Object.hasOwn(value, key)) value[key] = fit;
    return JSON.stringify(value);
  });
  return fc.oneof(
    { weight: 6, arbitrary: fitting },
    { weight: 4, arbitrary: changed },
    { weight: 2, arbitrary: cut },
    fc.json(),
    fc.constantFrom('', '{}', '[', '\0'),
  );
};

const header = fc.oneof(
  fc.tuple(
    fc.constantFrom('If-Match', 'If-None-Match'),
    fc.constantFrom('*', '"x"', 'W/"x"', '"', '""', ',', '"a", "b"'),
  ),
  fc.tuple(
    fc.constantFrom('Content-Type', 'Content-Encoding', 'Authorization', 'X-Request-Id', 'Origin', 'Accept', 'Host'),
    fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom('application/json', 'text/plain', 'Bearer x', 'gzip', 'null'),
    ),
  ),
);

const id = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...ids) },
  { weight: 1, arbitrary: oddText.map(escaped) },
  { weight: 1, arbitrary: oddText },
);
/** What is deleted is found no more, so most of what there is stays. */
const doomed = fc.oneof(
  { weight: 1, arbitrary: id },
  { weight: 20, arbitrary: fc.constantFrom(...stems.flatMap((stem) => idsOf[stem]?.slice(0, 1) ?? [])) },
);
const isDeletion = ({ method, path }: DocumentedOperation) => method === 'DELETE' || path.endsWith('/delete');
const slug = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...slugs) }, oddText.map(escaped));
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'];

// Made before the requests, because a registration is slow by intent and these are about what is stored.
// A stream of changes does not end by itself; it has tests of its own.
const operations = reader.operations.filter(
  ({ path }) => !/\/auth\/(register|login)/.test(path) && path !== '/api/v1/events',
);
const made = operations.map((operation) =>
  fc.record({
    operation: fc.constant(operation),
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(operation.method) },
      { weight: 1, arbitrary: fc.constantFrom(...methods) },
    ),
    id: isDeletion(operation) ? doomed : id,
    slug,
    more: fc.oneof({ weight: 15, arbitrary: fc.constant('') }, fc.constantFrom('/', '/x', '/..', '//', '%2f'), oddText),
    query: fc.oneof(
      { weight: 2, arbitrary: fc.constant('') },
      { weight: operation.method === 'GET' ? 4 : 1, arbitrary: query },
    ),
    body: bodyOf(operation),
    token: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...tokens) }, fc.constant(undefined)),
    headers: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.array(header, { maxLength: 3 })),
  }),
);
type Made = typeof made extends fc.Arbitrary<infer Value>[] ? Value : never;

function requestOf(sent: Made): Request | undefined {
  try {
    const headers = new Headers(sent.token === undefined ? {} : { Authorization: `Bearer ${sent.token}` });
    if (sent.body !== undefined) headers.set('Content-Type', 'application/json');
    for (const [key, value] of sent.headers) headers.set(key, value);
    const path = sent.operation.path.replace('{id}', () => sent.id).replace('{slug}', () => sent.slug) + sent.more;
    const body = ['GET', 'HEAD'].includes(sent.method) ? undefined : sent.body;
    const init = { method: sent.method, headers, ...(body === undefined ? {} : { body }) };
    return new Request(`http://recto.test${path}${sent.query === '' ? '' : `?${sent.query}`}`, init);
  } catch {
    return undefined; // No such request can be made.
  }
}

const inside =
  /SQLITE|SQL logic|no such (?:column|table)|constraint failed|near "|\.ts:\d|node_modules| {4}at |bun:sqlite/;

async function check(response: Response, { method, operation }: Made): Promise<void> {
  const text = await response.text();
  const { status } = response;
  expect(status, text).toBeLessThan(500);
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]{1,64}$/);
  if (method === 'HEAD') expect(text).toBe('');
  else if (status < 400) {
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    if (isJson) JSON.parse(text);
  } else {
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(JSON.parse(text)).toMatchObject({ status, code: expect.any(String), detail: expect.any(String) });
    expect(text).not.toMatch(inside);
    // 256 errors at most, each with its place and a sentence.
    expect(text.length, operation.operationId).toBeLessThan(60_000);
  }
}

describe('random requests', () => {
  const outcomes = new Map<number, number>();

  test('are answered, one after another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(...made), async (sent) => {
        const request = requestOf(sent);
        if (request === undefined) return;
        const response = await service.app.fetch(request);
        outcomes.set(response.status, (outcomes.get(response.status) ?? 0) + 1);
        await check(response, sent);
      }),
      { numRuns: randomCases(6000), endOnFailure: true },
    );
  }, 600_000);

  test('are answered, many at the same moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(...made), { minLength: 20, maxLength: 20, size: 'max' }), async (all) => {
        const answers = all.map(async (sent) => {
          const request = requestOf(sent);
          if (request !== undefined) await check(await service.app.fetch(request), sent);
        });
        await Promise.all(answers);
      }),
      { numRuns: randomCases(60), endOnFailure: true },
    );
  }, 600_000);

  test('were of many kinds', () => {
    for (const status of [200, 201, 204, 400, 401, 403, 404, 405, 409, 415, 422]) {
      expect([status, outcomes.get(status) ?? 0]).not.toEqual([status, 0]);
    }
  });

  test('left what is stored sound: the file, every list, every record in it', async () => {
    if (!onPostgres) {
      using database = new Database(service.database.path, { readonly: true });
      expect(database.query('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
      expect(database.query('PRAGMA foreign_key_check').all()).toEqual([]);
    }
    const lists = reader.operations.filter(({ operationId }) => /^adminList.*Records$/.test(operationId));
    expect(lists.length).toBe(served);
    for (const operation of lists) {
      for (let page = 1, listed = 7; listed === 7; page++) {
        const reply = await service.send(`GET ${operation.path}?page=${page}`, { as: 'ada' });
        expect(reader.differences(operation, reply)).toEqual([]);
        expect(reply.status).toBe(200);
        listed = reply.json.items.length;
        if (operation.path.endsWith('/comments')) continue;
        for (const { id } of reply.json.items) {
          expect((await service.send(`GET ${operation.path}/${id}`, { as: 'ada' })).status).toBe(200);
        }
      }
    }
  });
});
