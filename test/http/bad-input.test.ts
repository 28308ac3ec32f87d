// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createAccessTokens } from '../../packages/recto/src/auth/access-tokens.ts';
import { type Scenario, scenarios } from '../support/scenario.ts';
import { TestService } from '../support/service.ts';

// What must never be taken, never leak and never break anything, each as a whole request to a whole service.

const maxBody = 100_000;
const definitions = [
  {
    singular: 'note',
    plural: 'notes',
    protocols: ['lockable', 'metaable'],
    fields: [
      { name: 'title', field_type: 'text', required: true, max_length: 20 },
      { name: 'slug', field_type: 'uid', target_field: 'title' },
      { name: 'count', field_type: 'integer' },
      { name: 'extra', field_type: 'json' },
      { name: 'secret', field_type: 'text', private: true },
      { name: 'hidden', field_type: 'text' },
      { name: 'key', field_type: 'password' },
      {
        name: 'owner',
        field_type: 'relation',
        private: true,
        relation: { relation_type: 'many_to_one', target: 'notes' },
      },
      { name: 'more', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'notes' } },
    ],
    api: {
      create: { access: 'public' },
      update: { access: 'public' },
      delete: { access: 'public' },
      list: { fields: ['title', 'slug', 'count', 'more'] },
    },
  },
];

const second = 1000;
let service: TestService;
const tokens: Record<string, string> = {};
const note = { id: '', etag: '' };

beforeAll(async () => {
  service = await TestService.open(definitions, { maxBody });
  await service.account('ada', 'admin');
  await service.account('mia');
  const { id } = await service.seed('notes', { title: 'The note', secret: 'amber' });
  const { headers } = await service.send(`GET /api/v1/cms/notes/${id}`);
  Object.assign(note, { id, etag: headers.get('etag') });
  await service.send(`PUT /api/v1/cms/notes/${id}`, { body: { count: 1 } });
  await badTokens();
});

afterAll(() => service.database.close());

async function badTokens(): Promise<void> {
  const good = service.tokenOf('mia');
  const [head = '', claims = '', signature = ''] = good.split('.');
  const altered = (changes: object, part = claims) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...changes })).toString(
      'base64url',
    );
  const { sid } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const secret = 'a secret of the tests, long enough';
  const past = createAccessTokens(secret, () => Date.now() - 3600 * second);
  const forged = createAccessTokens('another secret that somebody guessed', Date.now);
  Object.assign(tokens, {
    good,
    expired: await past.issue(service.idOf('mia'), String(sid)),
    forged: await forged.issue(service.idOf('mia'), String(sid)),
    anotherSubject: `${head}.${altered({ sub: service.idOf('ada') })}.${signature}`,
    anotherRole: `${head}.${altered({ role: 'admin' })}.${signature}`,
    later: `${head}.${altered({ exp: 4_000_000_000 })}.${signature}`,
    unsigned: `${altered({ alg: 'none' }, head)}.${claims}.`,
    unknownSession: await createAccessTokens(secret, Date.now).issue(service.idOf('mia'), Bun.randomUUIDv7()),
    truncated: good.slice(0, -5),
    cutInHalf: good.slice(0, good.length / 2),
    twice: `${good}${good}`,
    oversized: `${good}${'a'.repeat(7000)}`,
    apiToken: 'recto_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    empty: '',
  });
}

const scenario = scenarios({ app: () => service.app, token: (name) => tokens[name] ?? service.tokenOf(name) });
const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...all: (string | readonly number[])[]) =>
  new Uint8Array(all.flatMap((part) => (typeof part === 'string' ? [...utf8(part)] : [...part])));

const post = (body: NonNullable<Scenario['body']>, expected: Scenario['expect']): Scenario => ({
  request: 'POST /api/v1/cms/notes',
  body,
  expect: { bodyLacks: ['SQL', 'sqlite', '.ts:'], ...expected },
});

describe('a body that cannot be read', () => {
  const deep = (levels: number) => `{"title":"t","extra":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const rows: Readonly<Record<string, readonly [NonNullable<Scenario['body']>, number, string]>> = {
    nothing: ['', 400, 'body_missing'],
    'white space': [' \n\t', 400, 'malformed_json'],
    'no JSON': ['title=t', 400, 'malformed_json'],
    'cut off': ['{"title":"t"', 400, 'malformed_json'],
    'something after it': ['{"title":"t"}{}', 400, 'malformed_json'],
    'a trailing comma': ['{"title":"t",}', 400, 'malformed_json'],
    'single quotes': ["{'title':'t'}", 400, 'malformed_json'],
    NaN: ['{"title":"t","count":NaN}', 400, 'malformed_json'],
    'a raw line break in a text': ['{"title":"a\nb"}', 400, 'malformed_json'],
    'a raw U+0000': [bytes('{"title":"a', [0], 'b"}'), 400, 'malformed_json'],
    'a U+0000 after it': [bytes('{"title":"a"}', [0]), 400, 'malformed_json'],
    'an array': ['[{"title":"t"}]', 400, 'body_not_object'],
    null: ['null', 400, 'body_not_object'],
    'a text': ['"title"', 400, 'body_not_object'],
    'a number': ['7', 400, 'body_not_object'],
    'an overlong encoding': [bytes('{"title":"', [0xc0, 0x80], '"}'), 400, 'malformed_encoding'],
    'an encoded surrogate': [bytes('{"title":"', [0xed, 0xa0, 0x80], '"}'), 400, 'malformed_encoding'],
    'a cut off character': [bytes('{"title":"', [0xf0, 0x9f, 0x99], '"}'), 400, 'malformed_encoding'],
    'more than Unicode has': [bytes('{"title":"', [0xf4, 0x90, 0x80, 0x80], '"}'), 400, 'malformed_encoding'],
    'Latin 1': [bytes('{"title":"', [0xe9], '"}'), 400, 'malformed_encoding'],
    'UTF-16': [new Uint8Array(Buffer.from('\ufeff{"title":"t"}', 'utf16le')), 400, 'malformed_encoding'],
    '65 levels': [deep(64), 400, 'nested_too_deep'],
    '50,000 levels': ['['.repeat(50_000), 400, 'nested_too_deep'],
    '40,000 levels of objects': ['{"a":'.repeat(19_000), 400, 'nested_too_deep'],
    'too large': [`{"title":"${'a'.repeat(maxBody)}"}`, 413, 'body_too_large'],
    'too large by one byte': [`{"title":"${'a'.repeat(maxBody - 11)}"}`, 413, 'body_too_large'],
  };
  for (const [name, [body, status, code]] of Object.entries(rows)) scenario(name, post(body, { status, code }));

  scenario('in chunks, and too large', {
    request: 'POST /api/v1/cms/notes',
    headers: { 'Content-Length': '' },
    body: utf8(`{"title":"${'a'.repeat(3 * maxBody)}"}`),
    expect: { status: 413, code: 'body_too_large' },
  });

  test('in chunks without an end is rejected when it has become too large', async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1000;
        controller.enqueue(utf8('a'.repeat(1000)));
      },
    });
    const headers = { 'Content-Type': 'application/json' };
    const request = new Request('http://recto.test/api/v1/cms/notes', { method: 'POST', headers, body });
    expect((await service.app.fetch(request)).status).toBe(413);
    expect(sent).toBeLessThan(2 * maxBody);
  });

  const mediaTypes = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    '*/*',
    'application/json; charset=utf-16',
    'application/jsonp',
  ];
  for (const mediaType of mediaTypes) {
    const wrong = post({ title: 't' }, { status: 415, code: 'unsupported_media_type' });
    scenario(`the media type ${mediaType}`, { ...wrong, headers: { 'Content-Type': mediaType } });
  }
  const gzip = post(new Uint8Array(Bun.gzipSync('{"title":"t"}')), { status: 415 });
  scenario('compressed', { ...gzip, headers: { 'Content-Encoding': 'gzip' } });
});

describe('a body that is not allowed', () => {
  const rows: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    [
      'wrong types',
      '{"title":1,"count":"1","slug":[],"more":{}}',
      { title: 'wrong_type', count: 'wrong_type', slug: 'wrong_type', more: 'wrong_type' },
    ],
    ['unknown fields', '{"title":"t","nope":1,"TITLE":"t"}', { nope: 'unknown_field', TITLE: 'unknown_field' }],
    [
      'names of JavaScript',
      '{"title":"t","__proto__":{"count":1},"constructor":1}',
      { ['__proto__']: 'unknown_field', constructor: 'unknown_field' },
    ],
    ['an empty name', '{"title":"t","":1}', { '': 'unknown_field' }],
    ['nothing that is required', '{}', { title: 'required' }],
    ['null where something is required', '{"title":null}', { title: 'required' }],
    [
      'U+0000',
      '{"title":"a\\u0000b","extra":{"a":["\\u0000"]},"__meta":{"\\u0000":1}}',
      { title: 'invalid_text', extra: 'invalid_text', __meta: 'invalid_text' },
    ],
    [
      'a lone surrogate',
      '{"title":"\\ud800","secret":"a\\udc00b","extra":"\\ud83d","hidden":"\\ude00\\ud83d"}',
      { title: 'invalid_text', secret: 'invalid_text', extra: 'invalid_text', hidden: 'invalid_text' },
    ],
    ['more characters than allowed', `{"title":"${'😀'.repeat(21)}"}`, { title: 'too_long' }],
    ['a number too large', '{"title":"t","count":1e999}', { count: 'wrong_type' }],
    ['an integer too large', '{"title":"t","count":9007199254740993}', { count: 'too_large' }],
    [
      'relations',
      `{"title":"t","owner":"x","more":["${Bun.randomUUIDv7()}","y"]}`,
      { owner: 'bad_format', 'more[1]': 'bad_format' },
    ],
    ['a metadata array', '{"title":"t","__meta":[]}', { __meta: 'wrong_type' }],
  ];
  for (const [name, body, errors] of rows) scenario(name, post(body, { status: 422, errors }));

  scenario('a name that is repeated: the last one counts, as everywhere', {
    ...post('{"title":1,"title":"t"}', { status: 201, body: { title: 't' } }),
  });
  scenario('a name of 50,000 characters is not echoed in full', {
    ...post(`{"title":"t","${'n'.repeat(50_000)}":1}`, { status: 422 }),
    after: ({ text }) => expect(text.length).toBeLessThan(1000),
  });

  test('a thousand errors make an answer of bounded size', async () => {
    const body = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field_${index}`, 1]));
    const { status, text } = await service.send('POST /api/v1/cms/notes', { body });
    expect(status).toBe(422);
    expect(text.length).toBeLessThan(1_000_000);
  });
});

describe('odd but proper Unicode is kept as it is', () => {
  const texts = {
    'characters of 4 bytes': '𝒳😀',
    'an escaped pair': '\ud83d\ude00',
    'a byte order mark inside': 'a\ufeffb',
    'marks for writing from right to left': '\u202eabc\u202c\u200f',
    'combining characters': 'e\u0301\u0302\u0303',
    composed: '\u00e9',
    'a joined family': '👨‍👩‍👧‍👦',
    'line separators': 'a\u2028b\u2029c',
    noncharacters: '\uffff\ufffe',
    'control characters': '\u0001\u001f\u007f\u0085',
    'quotes and slashes': '"\\/\'`$%_',
    'what looks like SQL': "'; DROP TABLE x; --",
  };
  for (const [name, title] of Object.entries(texts)) {
    test(name, async () => {
      const made = await service.send('POST /api/v1/cms/notes', { body: { title, extra: { [title]: [title] } } });
      expect(made.json).toMatchObject({ title, extra: { [title]: [title] } });
      const read = await service.send(`GET /api/v1/cms/notes/${made.json.id}`);
      expect(read.json).toMatchObject({ title, extra: { [title]: [title] } });
      const found = await service.send(`GET /api/v1/cms/notes?title=${encodeURIComponent(title)}`);
      expect(found.json.items.map(({ id }: { id: string }) => id)).toContain(made.json.id);
      const search = await service.send(`GET /api/v1/cms/notes?search=${encodeURIComponent(title)}`);
      expect(search.status).toBe(200);
    });
  }
  test('a byte order mark before the body', async () => {
    const { status } = await service.send('POST /api/v1/cms/notes', {
      body: bytes([0xef, 0xbb, 0xbf], '{"title":"t"}'),
    });
    expect(status).toBe(201);
  });
});

describe('a path or query that is not as it must be', () => {
  const long = 'a'.repeat(8000);
  const rows: Readonly<Record<string, number>> = {
    '/api/v1/cms/notes/%00': 400,
    '/api/v1/cms/notes/a%00b': 400,
    '/api/v1/cms/notes?title=a%00b': 400,
    '/api/v1/cms/notes?ti%00tle=a': 400,
    '/api/v1/cms/notes?title=%ff': 400,
    '/api/v1/cms/notes?title=%c0%80': 400,
    '/api/v1/cms/notes?title=%ed%a0%80': 400,
    '/api/v1/cms/notes?title=%': 400,
    '/api/v1/cms/notes?title=%zz': 400,
    '/api/v1/cms/notes/%e9': 400,
    '/api/v1/cms/notes/%2e%2e%2f': 404,
    '/api/v1/cms/notes/..%2f..%2fadmin%2fusers': 404,
    '/api/v1/cms/notes/': 404,
    '/api/v1/cms//notes': 404,
    '/api/v1/cms/NOTES': 404,
    '/api/v1/cms/notes%20': 404,
    [`/api/v1/cms/notes/${long}`]: 404,
    [`/api/v1/cms/notes?title=${long}`]: 200,
    [`/api/v1/cms/notes?${long}=1`]: 400,
    [`/api/v1/cms/notes?search=${long}`]: 200,
    [`/api/v1/cms/notes?sort=${'title:asc,'.repeat(500)}title:asc`]: 400,
    [`/api/v1/cms/notes?include=${'more.'.repeat(500)}more`]: 400,
    [`/api/v1/cms/notes?${'a=1&'.repeat(2000)}`]: 400,
    '/api/v1/cms/notes?page=1&page=1': 400,
    '/api/v1/cms/notes?nope=1': 400,
    '/api/v1/cms/notes?__meta.a=1': 400,
    '/api/v1/cms/notes?__proto__=1': 400,
    '/api/v1/cms/notes?constructor=1': 400,
    '/api/v1/cms/notes?count=1e3': 400,
    '/api/v1/cms/notes?count=99999999999999999999': 400,
    '/api/v1/cms/notes?page=99999999999999999999': 400,
    '/api/v1/cms/notes?page=0': 400,
    '/api/v1/cms/notes?page_size=-1': 400,
    '/api/v1/cms/notes?skip_total=maybe': 400,
    '/api/v1/cms/notes?search=%22%22*()OR%20NEAR': 200,
    '/api/v1/cms/notes/x?include=': 404,
    '/api/v1/auth/login?x=1': 405,
    '/api/v1/healthz?x=1': 400,
  };
  for (const [path, status] of Object.entries(rows)) {
    scenario(path.slice(0, 80), {
      request: `GET ${path}`,
      expect: { status, bodyLacks: ['SQL', 'sqlite', '.ts:'] },
      after: ({ text }) => expect(text.length).toBeLessThan(5000),
    });
  }

  const headers: Readonly<Record<string, string>> = {
    'X-Request-Id': 'a\tb c; <script>',
    'If-None-Match': '"'.repeat(5000),
    'If-Match': 'W/',
    Authorization: '',
    Accept: 'a'.repeat(5000),
    Cookie: 'a=b; '.repeat(500),
    'X-HTTP-Method-Override': 'DELETE',
    Range: 'bytes=0-1',
  };
  for (const [name, value] of Object.entries(headers)) {
    scenario(`the header ${name}: ${value.slice(0, 20)}`, {
      request: 'GET /api/v1/cms/notes',
      headers: { [name]: value },
      expect: { status: 200, headers: { 'x-request-id': /^[\w.-]{1,64}$/ } },
    });
  }
});

describe('what a caller may not read decides nothing', () => {
  const rows = [
    'secret=amber',
    'secret=',
    'hidden=x',
    'key=x',
    'extra=x',
    'owner=x',
    'lock_version=1',
    'sort=secret:asc',
    'sort=hidden:desc',
    'sort=key:asc',
    'sort=title:asc,secret:asc',
    'include=owner',
    'include=secret',
    'include=more.owner',
    'include=title',
    '__meta.a=1',
  ];
  for (const query of rows) {
    for (const as of [undefined, 'mia']) {
      scenario(`${as ?? 'anonymous'}: ${query}`, {
        request: `GET /api/v1/cms/notes?${query}`,
        ...(as === undefined ? {} : { as }),
        expect: { status: 400, bodyLacks: ['amber'] },
      });
    }
  }
  scenario('a search does not look into it', {
    request: 'GET /api/v1/cms/notes?search=amber',
    expect: { status: 200, body: { items: [], total: 0 } },
  });
  scenario('not even an admin asks for a password', {
    request: 'GET /api/v1/admin/cms/notes?key=x',
    as: 'ada',
    expect: { status: 400 },
  });
});

describe('a state that is not current', () => {
  const changed = (request: () => { headers?: Record<string, string>; body: object }, code: string) => async () => {
    const { status, json } = await service.send(`PUT /api/v1/cms/notes/${note.id}`, request());
    expect([status, json.code]).toEqual([409, code]);
    expect((await service.send(`GET /api/v1/cms/notes/${note.id}`)).json.title).toBe('The note');
  };
  const body = { title: 'Another' };

  test(
    'lock_version',
    changed(() => ({ body: { ...body, lock_version: 1 } }), 'lock_version_mismatch'),
  );
  test(
    'a lock_version of the future',
    changed(() => ({ body: { ...body, lock_version: 99 } }), 'lock_version_mismatch'),
  );
  test(
    'If-Match',
    changed(() => ({ body, headers: { 'If-Match': note.etag } }), 'stale'),
  );
  test(
    'If-Match, weak',
    changed(() => ({ body, headers: { 'If-Match': `W/${note.etag}` } }), 'stale'),
  );
  test(
    'If-Match, nonsense',
    changed(() => ({ body, headers: { 'If-Match': 'nonsense"' } }), 'stale'),
  );
  test('If-Match of a deletion', async () => {
    const headers = { 'If-Match': note.etag };
    expect((await service.send(`DELETE /api/v1/cms/notes/${note.id}`, { headers })).status).toBe(409);
    expect((await service.send(`GET /api/v1/cms/notes/${note.id}`)).status).toBe(200);
  });
});

describe('a token that is not good', () => {
  const bad = [
    'expired',
    'forged',
    'anotherSubject',
    'anotherRole',
    'later',
    'unsigned',
    'unknownSession',
    'truncated',
    'cutInHalf',
    'twice',
    'oversized',
    'apiToken',
  ];
  for (const as of bad) {
    for (const request of ['GET /api/v1/cms/notes', 'GET /api/v1/auth/me', 'GET /api/v1/healthz']) {
      scenario(`${as}: ${request}`, {
        request,
        as,
        expect: { status: 401, headers: { 'www-authenticate': /^Bearer/ } },
        after: ({ text }) => expect(text).not.toContain(tokens[as]?.slice(0, 40) ?? ''),
      });
    }
  }
  for (const authorization of [
    'Bearer',
    'Bearer  ',
    'Basic YTpi',
    'bearer',
    'Bearer a b',
    'x',
    'Bearer \u00e9\u00e9',
  ]) {
    scenario(`the header "${authorization}"`, {
      request: 'GET /api/v1/cms/notes',
      headers: { Authorization: authorization },
      expect: { status: 401 },
    });
  }
  scenario('while the good one is good', { request: 'GET /api/v1/auth/me', as: 'good', expect: { status: 200 } });
});
