// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Operation } from '../../../packages/recto/src/http/operation.ts';
import { type Reply, type Sent, TestService } from '../../support/service.ts';

// Service specification, section 7: every status, each with its whole body as application/problem+json (RFC 9457).

const definitions = [
  {
    singular: 'article',
    plural: 'articles',
    protocols: ['lockable'],
    fields: [
      { name: 'title', field_type: 'text', required: true, max_length: 10 },
      { name: 'views', field_type: 'integer', min: 0 },
      { name: 'code', field_type: 'text', unique: true },
      { name: 'fixed', field_type: 'text', immutable: true },
      { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
      { name: 'topics', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'authors' } },
    ],
    api: { update: { filter: 'views != 7' }, delete: { access: 'member' } },
  },
  {
    singular: 'author',
    plural: 'authors',
    fields: [{ name: 'name', field_type: 'text' }],
    api: { list: { access: 'none' }, create: { access: 'admin' } },
  },
  {
    singular: 'note',
    plural: 'notes',
    fields: [
      {
        name: 'author',
        field_type: 'relation',
        required: true,
        relation: { relation_type: 'many_to_one', target: 'authors' },
      },
    ],
  },
];

const broken: Operation = {
  id: 'broken',
  method: 'GET',
  path: '/api/v1/broken',
  tag: 'test',
  summary: 'Fails',
  security: 'none',
  responses: {},
  problems: [],
  handle: () => {
    throw new Error('a secret of the inside');
  },
};

let service: TestService;
const record = { id: '', author: '', locked: '' };

beforeAll(async () => {
  service = await TestService.open(definitions, {
    more: [broken],
    maxBody: 2000,
    expectedErrors: [/a secret of the inside/],
  });
  await service.account('mia');
  await service.account('ada', 'admin');
  record.author = (await service.seed('authors', { name: 'x' })).id;
  record.id = (await service.seed('articles', { title: 'One', code: 'taken', fixed: 'a', author: record.author })).id;
  record.locked = (await service.seed('articles', { title: 'Seven', views: 7 })).id;
  await service.seed('notes', { author: record.author });
});
afterAll(() => service[Symbol.asyncDispose]());

interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly code: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Field and code of every fault, in order. */
  readonly errors?: readonly (readonly [field: string, code: string])[];
}

/** The whole answer: status, media type, headers, and a body with these members and no others. */
function checkRefusal(reply: Reply, { status, title, code, headers = {}, errors }: Refusal): void {
  const { 'content-type': type, 'x-request-id': requestId } = Object.fromEntries(reply.headers);
  expect([reply.status, type, reply.headers.get('cache-control')]).toEqual([
    status,
    'application/problem+json',
    'no-cache',
  ]);
  expect(requestId).toMatch(/^[\w.-]{1,64}$/);
  const sentence = expect.stringMatching(/^\S.*\.$/s);
  expect(reply.json).toEqual({
    type: `urn:recto:problem:${code}`,
    title,
    status,
    detail: sentence,
    code,
    request_id: requestId,
    ...(errors === undefined
      ? {}
      : { errors: errors.map(([field, fault]) => ({ field, code: fault, message: sentence })) }),
  });
  for (const name of ['www-authenticate', 'allow', 'retry-after', 'location', 'etag']) {
    expect([name, reply.headers.get(name)]).toEqual([name, headers[name] ?? null]);
  }
}

type Row = readonly [name: string, line: string, sent: Sent, code: string, more?: Pick<Refusal, 'errors' | 'headers'>];

const articles = '/api/v1/cms/articles';
const json = { 'Content-Type': 'application/json' };
const bearer = (token: string) => ({ Authorization: token });
const mia = (body: unknown, headers: Readonly<Record<string, string>> = {}): Sent => ({ as: 'mia', body, headers });
const asksForToken = { headers: { 'www-authenticate': 'Bearer' } };

const tables: readonly (readonly [status: number, title: string, rows: readonly Row[]])[] = [
  [
    400,
    'Bad request',
    [
      ['malformed JSON', `POST ${articles}`, mia('{"title":'), 'malformed_json'],
      ['an array', `POST ${articles}`, mia('[]'), 'body_not_object'],
      ['no body', `POST ${articles}`, { as: 'mia' }, 'body_missing'],
      ['an empty body', `POST ${articles}`, mia(''), 'body_missing'],
      ['not UTF-8', `POST ${articles}`, mia(new Uint8Array([123, 34, 255, 34, 125])), 'malformed_encoding'],
      ['nested too deep', `POST ${articles}`, mia(`{"title":${'['.repeat(100)}${']'.repeat(100)}}`), 'nested_too_deep'],
      ['a bad list parameter', `GET ${articles}?page=0`, {}, 'invalid_parameter'],
      ['an unknown list parameter', `GET ${articles}?bogus=1`, {}, 'unknown_parameter'],
      ['a doubled parameter', `GET ${articles}?page=1&page=1`, {}, 'doubled_parameter'],
      ['a parameter of a get', `GET ${articles}/{id}?page=1`, {}, 'unknown_parameter'],
      ['a bad include of a get', `GET ${articles}/{id}?include=title`, {}, 'invalid_parameter'],
      ['a parameter of a create', `POST ${articles}?x=1`, mia({ title: 'x' }), 'unknown_parameter'],
      ['a parameter of an update', `PUT ${articles}/{id}?include=author`, mia({}), 'unknown_parameter'],
      ['a parameter of a delete', `DELETE ${articles}/{id}?x=1`, { as: 'mia' }, 'unknown_parameter'],
      ['malformed encoding in the query', `GET ${articles}?title=%ff`, {}, 'malformed_encoding'],
      ['malformed encoding in the path', `GET ${articles}/%ff`, {}, 'malformed_encoding'],
    ],
  ],
  [
    401,
    'Authentication required',
    [
      ['no token', `POST ${articles}`, { body: {} }, 'authentication_required', asksForToken],
      ['no token on an admin route', 'GET /api/v1/admin/cms/articles', {}, 'authentication_required', asksForToken],
      [
        'a bad token',
        `POST ${articles}`,
        { body: {}, headers: bearer('Bearer nonsense') },
        'invalid_token',
        asksForToken,
      ],
      [
        'a bad token on a public route',
        `GET ${articles}`,
        { headers: bearer('Bearer a.b.c') },
        'invalid_token',
        asksForToken,
      ],
      ['another scheme', `GET ${articles}`, { headers: bearer('Basic YTpi') }, 'invalid_token', asksForToken],
      ['an unknown API token', `GET ${articles}`, { headers: bearer('Bearer recto_x') }, 'invalid_token', asksForToken],
      ['an empty token', `GET ${articles}`, { headers: bearer('Bearer') }, 'invalid_token', asksForToken],
    ],
  ],
  [
    403,
    'Access denied',
    [
      ['access is none', 'GET /api/v1/cms/authors', { as: 'ada' }, 'access_denied'],
      ['access is none, to an anonymous caller', 'GET /api/v1/cms/authors', {}, 'access_denied'],
      ['insufficient role', 'POST /api/v1/cms/authors', mia({}), 'insufficient_role'],
      ['insufficient role on an admin route', 'GET /api/v1/admin/cms/articles', { as: 'mia' }, 'insufficient_role'],
      ['refused by a rule', `PUT ${articles}/{locked}`, mia({ title: 'x' }), 'rule_refused'],
    ],
  ],
  [
    404,
    'Not found',
    [
      ['get', `GET ${articles}/{none}`, {}, 'not_found'],
      ['update', `PUT ${articles}/{none}`, mia({}), 'not_found'],
      ['delete', `DELETE ${articles}/{none}`, { as: 'mia' }, 'not_found'],
      ['no id at all', `GET ${articles}/x`, {}, 'not_found'],
      ['an id in upper case', `GET ${articles}/{ID}`, {}, 'not_found'],
      ['admin get', 'GET /api/v1/admin/cms/articles/{none}', { as: 'ada' }, 'not_found'],
      ['no such path', 'GET /api/v1/cms/nothing', {}, 'route_not_found'],
      ['a slash at the end', `GET ${articles}/`, {}, 'route_not_found'],
    ],
  ],
  [
    405,
    'Method not allowed',
    [
      ['of a list', `DELETE ${articles}`, {}, 'method_not_allowed', { headers: { allow: 'GET, HEAD, OPTIONS, POST' } }],
      [
        'of a record',
        `POST ${articles}/{id}`,
        {},
        'method_not_allowed',
        { headers: { allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT' } },
      ],
    ],
  ],
  [
    409,
    'Conflict',
    [
      ['lock_version mismatch', `PUT ${articles}/{id}`, mia({ lock_version: 99 }), 'lock_version_mismatch'],
      ['a stale If-Match on update', `PUT ${articles}/{id}`, mia({}, { 'If-Match': '"stale"' }), 'stale'],
      [
        'a stale If-Match on delete',
        `DELETE ${articles}/{id}`,
        { as: 'mia', headers: { 'If-Match': '"stale"' } },
        'stale',
      ],
      ['a record that others need', 'DELETE /api/v1/admin/cms/authors/{author}', { as: 'ada' }, 'record_in_use'],
    ],
  ],
  [
    413,
    'Body too large',
    [
      ['a body over the limit', `POST ${articles}`, mia({ title: 'x'.repeat(2000) }), 'body_too_large'],
      ['in an update', `PUT ${articles}/{id}`, mia({ title: 'x'.repeat(2000) }), 'body_too_large'],
    ],
  ],
  [
    415,
    'Unsupported media type',
    [
      [
        'a form',
        `POST ${articles}`,
        mia('title=x', { 'Content-Type': 'application/x-www-form-urlencoded' }),
        'unsupported_media_type',
      ],
      ['plain text', `POST ${articles}`, mia('{}', { 'Content-Type': 'text/plain' }), 'unsupported_media_type'],
      [
        'another charset',
        `POST ${articles}`,
        mia('{}', { 'Content-Type': 'application/json; charset=latin1' }),
        'unsupported_media_type',
      ],
      ['compressed', `POST ${articles}`, mia('{}', { ...json, 'Content-Encoding': 'gzip' }), 'unsupported_media_type'],
    ],
  ],
  [
    422,
    'Validation failed',
    [
      ['required', `POST ${articles}`, mia({}), 'validation_failed', { errors: [['title', 'required']] }],
      [
        'required and empty',
        `POST ${articles}`,
        mia({ title: '' }),
        'validation_failed',
        { errors: [['title', 'required']] },
      ],
      [
        'set to null',
        `PUT ${articles}/{id}`,
        mia({ title: null }),
        'validation_failed',
        { errors: [['title', 'required']] },
      ],
      [
        'an unknown field',
        `PUT ${articles}/{id}`,
        mia({ bogus: 1 }),
        'validation_failed',
        { errors: [['bogus', 'unknown_field']] },
      ],
      [
        'a taken value',
        `POST ${articles}`,
        mia({ title: 'x', code: 'taken' }),
        'validation_failed',
        { errors: [['code', 'taken']] },
      ],
      [
        'an immutable field',
        `PUT ${articles}/{id}`,
        mia({ fixed: 'b' }),
        'validation_failed',
        { errors: [['fixed', 'immutable']] },
      ],
      [
        'an unknown record',
        `PUT ${articles}/{id}`,
        mia({ author: '{none}' }),
        'validation_failed',
        { errors: [['author', 'unknown_record']] },
      ],
      [
        'an unknown record among several',
        `PUT ${articles}/{id}`,
        mia({ topics: ['{author}', '{none}'] }),
        'validation_failed',
        { errors: [['topics[1]', 'unknown_record']] },
      ],
      [
        'everything at once',
        `POST ${articles}`,
        mia({ bogus: 1, title: 'x'.repeat(11), views: -1, code: 5, author: 'x', topics: 'y' }),
        'validation_failed',
        {
          errors: [
            ['bogus', 'unknown_field'],
            ['title', 'too_long'],
            ['views', 'too_small'],
            ['code', 'wrong_type'],
            ['author', 'bad_format'],
            ['topics', 'wrong_type'],
          ],
        },
      ],
    ],
  ],
  [500, 'Internal error', [['a failure exposes nothing internal', 'GET /api/v1/broken', {}, 'internal_error']]],
];

/** Puts the ids in that are known only when the service runs. */
function filled(textWithNames: string): string {
  const known: Readonly<Record<string, string>> = { ...record, none: Bun.randomUUIDv7(), ID: record.id.toUpperCase() };
  return textWithNames.replace(/\{(id|author|locked|none|ID)\}/g, (_, name: string) => known[name] ?? '');
}

const filledSent = ({ body, ...sent }: Sent): Sent =>
  typeof body === 'object' && body !== null && !(body instanceof Uint8Array)
    ? { ...sent, body: JSON.parse(filled(JSON.stringify(body))) }
    : { ...sent, body };

describe.each(tables.map(([status, title, rows]) => [`${status} ${title}`, status, title, rows] as const))(
  '%s',
  (_, status, title, rows) => {
    test.each(rows.map((row) => [...row] as const))('%s: %s', async (_name, line, sent, code, more = {}) => {
      checkRefusal(await service.send(filled(line), filledSent(sent)), { status, title, code, ...more });
    });
  },
);

test('nothing was changed by what was rejected', async () => {
  const { json: left } = await service.send('GET /api/v1/cms/articles?sort=title:asc');
  expect(
    left.items.map(({ title, views, lock_version }: Record<string, unknown>) => [title, views, lock_version]),
  ).toEqual([
    ['One', null, 1],
    ['Seven', 7, 1],
  ]);
});

test('the request id of the caller is returned', async () => {
  const reply = await service.send('GET /api/v1/cms/nothing', { headers: { 'X-Request-Id': 'mine-1' } });
  expect([reply.headers.get('x-request-id'), reply.json.request_id]).toEqual(['mine-1', 'mine-1']);
});

test('successes: 200, 201 with Location, 204 without a body', async () => {
  const as = 'ada';
  const made = await service.send(`POST ${articles}`, { as, body: { title: 'New' } });
  const path = `${articles}/${made.json.id}`;
  expect([made.status, made.headers.get('location'), made.headers.get('content-type')]).toEqual([
    201,
    path,
    'application/json',
  ]);
  for (const line of [`GET ${path}`, `PUT ${path}`, `PATCH ${path}`, `GET ${articles}`]) {
    const reply = await service.send(line, line.startsWith('P') ? { as, body: {} } : {});
    expect([line, reply.status, reply.headers.get('content-type')]).toEqual([line, 200, 'application/json']);
  }
  const gone = await service.send(`DELETE ${path}`, { as });
  expect([gone.status, gone.text, gone.headers.get('content-type')]).toEqual([204, '', null]);
});
