import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { checkDefinitions } from '../../../packages/recto/src/definition/check-definitions.ts';
import { builtInTypes } from '../../../packages/recto/src/features/index.ts';
import { TestService } from '../../support/service.ts';

// A literal that a field can never hold is an error when the rule loads: such a comparison holds for everyone, or for nobody.

const id = '01a1fc4d-4e39-75e9-b87c-fc2731e697d2';
const relation = (name: string, relation_type: string, target: string) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
});

const author = {
  singular: 'author',
  plural: 'authors',
  fields: [
    { name: 'name', field_type: 'text' },
    { name: 'state', field_type: 'enum', enum_values: ['active', 'in_rest'] },
  ],
};

const article = {
  singular: 'article',
  plural: 'articles',
  protocols: ['statusable', 'ownable', 'soft_deletable', 'nestable', 'tenantable', 'lockable', 'metaable'],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'code', field_type: 'text', min_length: 2, max_length: 4, pattern: '^[A-Z]+$' },
    { name: 'kind', field_type: 'enum', enum_values: ['news', 'Essay', 'a%b'] },
    { name: 'rating', field_type: 'integer', min: 1, max: 5 },
    { name: 'price', field_type: 'decimal', min: 0 },
    { name: 'big', field_type: 'bigint', min: '1' },
    { name: 'share', field_type: 'float', max: 1 },
    { name: 'day', field_type: 'date' },
    { name: 'at', field_type: 'datetime' },
    { name: 'free', field_type: 'boolean' },
    { name: 'mail', field_type: 'email' },
    { name: 'slug', field_type: 'uid' },
    { name: 'cover', field_type: 'media' },
    relation('author', 'many_to_one', 'authors'),
    relation('post', 'many_to_one', 'posts'),
    relation('tags', 'many_to_many', 'authors'),
  ],
};

/** [rule, the literal that is wrong, what the message says] */
const impossible: readonly (readonly [string, string, string])[] = [
  ['status != "publised"', '"publised"', '"status" is never "publised". Did you mean "published"?'],
  ['"publised" != status', '"publised"', '"status" is never "publised". Did you mean "published"?'],
  ['status = "Published"', '"Published"', 'Did you mean "published"?'],
  ['status != ""', '""', '"status" is never "". Where there is no value, it is null: write status != null.'],
  ['status = ""', '""', 'write status = null.'],
  ['status > ""', '""', 'write status != null.'],
  ['status >= "zzzzzzzz"', '"zzzzzzzz"', 'It is one of draft, published, archived.'],
  ['status !~ "publised"', '"publised"', '"status" never matches "publised". Did you mean "published"?'],
  ['status !~ "%ublised%"', '"%ublised%"', '"status" never matches "%ublised%". Did you mean "published"?'],
  ['"publised" !~ status', '"publised"', '"status" is never "publised"'],
  ['free && (kind != "essay" || title = "x")', '"essay"', 'Did you mean "Essay"?'],
  ['kind !~ "new"', '"new"', 'Did you mean "news"?'],
  ['author.state = "activ"', '"activ"', '"author.state" is never "activ". Did you mean "active"?'],
  ['author.state !~ ""', '""', 'write author.state = null.'],
  ['@request.auth.id != ""', '""', 'write @request.auth.id != null.'],
  ['"" != @request.auth.id', '""', 'write @request.auth.id != null.'],
  ['@request.auth.id > ""', '""', 'write @request.auth.id != null.'],
  ['@request.auth.id !~ ""', '""', 'write @request.auth.id = null.'],
  ['@request.auth.id != "mia"', '"mia"', 'It is an id (a UUID in lower case).'],
  [`@request.auth.id != "${id.toUpperCase()}"`, `"${id.toUpperCase()}"`, `Did you mean "${id}"?`],
  ['@request.auth.id !~ "mia%"', '"mia%"', '"@request.auth.id" never matches "mia%".'],
  ['@request.auth.role != "membr"', '"membr"', 'Did you mean "member"?'],
  ['@request.auth.role = "Admin"', '"Admin"', 'Did you mean "admin"?'],
  ['@request.auth.role != "anonymous"', '"anonymous"', 'It is one of admin, editor, member.'],
  ['@request.auth.role != ""', '""', 'write @request.auth.role != null.'],
  ['@request.auth.tenant_id != ""', '""', 'write @request.auth.tenant_id != null.'],
  ['@request.auth.tenant_id != "Acme"', '"Acme"', 'Did you mean "acme"?'],
  ['tenant_id != "Acme Ltd."', '"Acme Ltd."', '"tenant_id" is never'],
  ['id != ""', '""', '"id" is never ""'],
  ['id !~ "x%"', '"x%"', '"id" never matches "x%"'],
  ['created_by != ""', '""', 'write created_by != null.'],
  ['updated_by != "system"', '"system"', '"updated_by" is never "system"'],
  ['deleted_by = "x"', '"x"', 'It is an id'],
  ['parent_id != ""', '""', 'write parent_id != null.'],
  ['author != ""', '""', '"author" is never "". Where there is no value, it is null: write author != null.'],
  ['author != "Ines"', '"Ines"', 'for a field of the related record, write author.FIELD.'],
  ['author.id != "x"', '"x"', '"author.id" is never "x"'],
  ['post.status != "publishd"', '"publishd"', 'Did you mean "Published"?'],
  ['post.author_id != ""', '""', '"post.author_id" is never ""'],
  ['parent_id.parent_id.status = "x"', '"x"', '"parent_id.parent_id.status" is never "x"'],
  ['rating != 0', '0', '"rating" is never 0. It must be 1 or more.'],
  ['6 != rating', '6', 'It must be 5 or less.'],
  ['price = -0.5', '-0.5', '"price" is never -0.5.'],
  ['big != 0', '0', '"big" is never 0.'],
  ['share = 1.5', '1.5', 'It must be 1 or less.'],
  ['code != ""', '""', 'write code != null.'],
  ['code != "abc"', '"abc"', 'It must match the pattern'],
  ['code = "ABCDE"', '"ABCDE"', 'It must have at most 4 characters.'],
  ['mail != ""', '""', 'write mail != null.'],
  ['mail = "ines"', '"ines"', 'It must be an e-mail address'],
  ['slug != "Hello World"', '"Hello World"', 'It must be lower-case letters'],
  ['cover != ""', '""', 'write cover != null.'],
  ['tags:length > -1', '-1', 'A length is never negative.'],
  ['title:length != -1', '-1', 'A length is never negative.'],
  ['-1 < __meta.list:length', '-1', 'A length is never negative.'],
  ['status != created_by', 'status != created_by', '"status" and "created_by" never have the same value.'],
  ['@request.auth.role != kind', '@request.auth.role != kind', 'never have the same value'],
  ['@request.auth.id != @request.auth.role', '@request.auth.id != @request.auth.role', 'never have the same value'],
  ['status != author.state', 'status != author.state', 'never have the same value'],
  ['code != status', 'code != status', 'never have the same value'],
  ['title:isset != null', 'title:isset != null', 'This is never null.'],
  ['tags:isset = null || free', 'tags:isset = null', 'This is never null.'],
  ['title:length != null', 'title:length != null', 'This is never null.'],
  ['null != __meta.list:length', 'null != __meta.list:length', 'This is never null.'],
  ['@now != null', '@now != null', 'This is never null.'],
  // Other kinds have been checked all along.
  ['free != "yes"', '"yes"', 'The other side is a boolean'],
  ['day != ""', '""', 'The other side is a date'],
  ['at != "soon"', '"soon"', 'The other side is a datetime'],
  ['rating != 1.5', '1.5', 'The other side is an integer'],
];

/** The same in rules of create and update. */
const impossibleInBodies: readonly (readonly [rule: string, literal: string, message: string])[] = [
  ['@request.body.status != "publised"', '"publised"', '"@request.body.status" is never "publised". Did you mean'],
  ['@request.body.author != ""', '""', 'write @request.body.author != null.'],
  ['@request.body.rating != "5"', '"5"', 'The other side is an integer'],
  ['@request.body.rating != 9', '9', 'It must be 5 or less.'],
  ['@request.body.statsu = null', '@request.body.statsu', 'Did you mean "@request.body.status"?'],
  [
    '@request.body.zzzzzzzz != "x"',
    '@request.body.zzzzzzzz',
    'There is no field "zzzzzzzz" in "article". Its fields are',
  ],
  ['@request.body.rating != title', '@request.body.rating != title', 'does not compare an integer with text'],
  ['@request.body.rating != @request.body.free', '@request.body.rating != @request.body.free', 'does not compare'],
  ['@request.body.status != created_by', '@request.body.status != created_by', 'never have the same value'],
  ['@request.body.tags != title', '@request.body.tags', 'is a list: compare it with null.'],
  ['@request.body.title', '@request.body.title', 'This is text and no condition by itself'],
];

const possible: readonly string[] = [
  'status != "published"',
  'status ~ "%ed"',
  'status ~ "PUB%"',
  '"draft" = status',
  'status:isset && status != null',
  'kind ~ "a%b" || kind = "Essay"',
  'author.state = "in_rest"',
  `author = "${id}" && author.id != "${id}"`,
  'id ~ "01A1fc%"',
  'id ~ "%-4___-%"',
  `@request.auth.id = "${id}"`,
  '@request.auth.id ~ "%"',
  '@request.auth.role != "member"',
  '@request.auth.tenant_id = "acme" || tenant_id ~ "ac%"',
  // A text can be empty, and bounds are often written from beyond them.
  'title != "" && title > ""',
  'rating > 0 && rating < 6 && rating != 5',
  'price >= 0.00 && big > 0',
  'code > "A" && code ~ "a%"',
  'tags:length >= 0',
  '__meta.status != ""',
  '@request.query.status != "anything"',
  'post.status = "PUBLISHED"',
];

const possibleInBodies: readonly string[] = [
  '@request.body.status = "draft" && @request.body.rating = 5',
  '@request.body.price = 1.50',
  '@request.body.tags = null || @request.body.status != status',
  '@request.body.rating = rating && @request.body.rating != @request.body.big',
  '@request.body.created_by = @request.auth.id',
  '@request.body.author != @request.query.author',
];

const withRule = (rule: string, endpoint = 'list', option = 'filter') => ({
  ...article,
  api: { [endpoint]: { [option]: rule } },
});
const check = (...definitions: readonly unknown[]) =>
  checkDefinitions([...builtInTypes, ...definitions.map((definition, index) => ({ file: `${index}`, definition }))]);

const inLists = impossible.map((row) => ['list', ...row] as const);
const inPayloads = ['create', 'update'].flatMap((each) => impossibleInBodies.map((row) => [each, ...row] as const));
const withoutBody = ['list', 'get', 'delete'].map(
  (each) =>
    [each, '@request.body.status = null', '@request.body.status', 'Requests to this endpoint have no body'] as const,
);

describe('definitions with a literal that is never held', () => {
  test.each([...inLists, ...inPayloads, ...withoutBody])('%s: %s', (endpoint, rule, literal, message) => {
    const { faults = [] } = check(author, withRule(rule, endpoint));
    expect(faults.map(({ path }) => path)).toEqual([`api.${endpoint}.filter`]);
    const [fault] = faults;
    expect(`${fault?.message}.`).toContain(message.replace(/[.]$/, ''));
    const [line = '', carets = ''] = (fault?.excerpt ?? '').split('\n');
    expect(line.slice(carets.indexOf('^'), carets.length)).toBe(literal);
  });

  test.each(['get', 'create', 'update', 'delete'])('in each rule of %s', (endpoint) => {
    for (const option of ['filter', 'filter_auth']) {
      const { faults = [] } = check(author, withRule('@request.auth.id != ""', endpoint, option));
      expect(faults.map(({ path }) => path)).toEqual([`api.${endpoint}.${option}`]);
    }
  });
});

test.each(possible)('%s is a rule', (rule) => {
  expect(check(author, withRule(rule)).faults).toBeUndefined();
});

test.each(possibleInBodies)('%s is a rule of create and update', (rule) => {
  for (const endpoint of ['create', 'update']) {
    expect(check(author, withRule(rule, endpoint)).faults).toBeUndefined();
  }
});

describe('a running service', () => {
  let service: TestService;
  beforeAll(async () => {
    const api = { list: { filter: 'post.status = "PUBLISHED"' }, get: { filter: 'post.status != "draft"' } };
    const fields = [relation('post', 'many_to_one', 'posts')];
    service = await TestService.open([author, { singular: 'link', plural: 'links', fields, api }], { builtIn: true });
    await service.account('ada', 'admin');
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test.each(impossible.slice(0, 6))('rejects a definition with %s', async (rule, _, message) => {
    const { status, json } = await service.send('POST /api/v1/admin/content-types', {
      as: 'ada',
      body: withRule(rule),
    });
    expect([status, json.errors.length, json.errors[0].field]).toEqual([422, 1, 'api.list.filter']);
    expect(json.errors[0]).toMatchObject({
      code: 'bad_rule',
      message: expect.stringContaining(message.replace(/[.]$/, '')),
    });
    expect((await service.send('GET /api/v1/cms/articles')).status).toBe(404);
  });

  test('rejects replacing a rule by one', async () => {
    const made = { singular: 'memo', plural: 'memos', protocols: ['statusable'] };
    const path = '/api/v1/admin/content-types';
    expect((await service.send(`POST ${path}`, { as: 'ada', body: made })).status).toBe(201);
    const changed = { ...made, api: { list: { filter: 'status != "publised"' } } };
    const { status, json } = await service.send(`PUT ${path}/memo`, { as: 'ada', body: changed });
    expect([status, json.errors?.[0].code]).toEqual([422, 'bad_rule']);
  });

  test('compares statuses of posts in the spelling that is stored', async () => {
    const shown = await service.seed('posts', { title: 'Shown', status: 'published' });
    const draft = await service.seed('posts', { title: 'Draft' });
    const links = [await service.seed('links', { post: shown.id }), await service.seed('links', { post: draft.id })];
    const { json } = await service.send('GET /api/v1/cms/links');
    expect(json.items).toEqual([expect.objectContaining({ id: links[0].id })]);
    expect((await service.send(`GET /api/v1/cms/links/${links[1].id}`)).status).toBe(404);
  });
});
