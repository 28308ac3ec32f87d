// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

// Structured fields of types that are made through the API, in drafts, and within the budget of an answer.

const field = (name: string, field_type: string, more: object = {}) => ({ name, field_type, ...more });
const author = field('author', 'relation', { relation: { relation_type: 'many_to_one', target: 'authors' } });
const body = (...fields: object[]) =>
  field('body', 'blocks', { blocks: [{ name: 'quote', fields: [author, ...fields] }] });
const text = field('text', 'text');
const definitions = [
  { singular: 'author', plural: 'authors', fields: [field('name', 'text'), field('bio', 'text')] },
  {
    singular: 'play',
    plural: 'plays',
    protocols: [{ name: 'versionable', drafts: true }, 'statusable'],
    fields: [field('title', 'text'), body(text)],
    api: { get: { filter: 'status = "published"' } },
  },
];

let service: TestService;
let ines: string;
beforeAll(async () => {
  service = await TestService.open(definitions, { budget: { included: 10, bytes: 100_000 } });
  await service.account('ada', 'admin');
  ines = (await send('POST cms/authors', { name: 'Ines', bio: 'b'.repeat(2_000) })).json.id;
}, 600_000);
afterAll(() => service[Symbol.asyncDispose]());

const send = (line: string, sent?: object): Promise<Reply> =>
  service.send(line.replace(' ', ' /api/v1/admin/'), { as: 'ada', ...(sent === undefined ? {} : { body: sent }) });
const quotes = (count: number) => Array.from({ length: count }, () => ({ block: 'quote', author: ines, text: 'x' }));

test('a type is made, shown and changed through the API', async () => {
  const definition = { singular: 'sheet', plural: 'sheets', fields: [body(text)] };
  expect((await send('POST content-types', definition)).status).toBe(201);
  expect((await send('GET content-types/sheet')).json.definition.fields).toEqual([body(text)]);
  const { id } = (await send('POST cms/sheets', { body: quotes(1) })).json;
  const more = { ...definition, fields: [body(text, field('mood', 'text', { default: 'calm' }))] };
  expect((await send('PUT content-types/sheet', more)).status).toBe(200);
  expect((await send(`GET cms/sheets/${id}`)).json.body[0]).toMatchObject({ text: 'x', mood: 'calm', author: ines });
  const less = await send('PUT content-types/sheet', { ...definition, fields: [body()] });
  expect(less).toMatchObject({
    status: 409,
    json: { detail: expect.stringContaining('"body.quote.text" is removed') },
  });
  expect((await send(`GET cms/sheets/${id}`)).json.body[0].text).toBe('x');
  const wrong = await send('PUT content-types/sheet', {
    ...definition,
    fields: [body(field('a', 'enum'), { name: 'b' })],
  });
  expect(wrong.status).toBe(422);
  expect(wrong.json.errors.map((error: { field: string }) => error.field).toSorted()).toEqual([
    'fields[0].blocks[0].fields[1].enum_values',
    'fields[0].blocks[0].fields[2].field_type',
  ]);
  const many = Array.from({ length: 201 }, (_, at) => field(`f${at}`, 'text'));
  const large = { singular: 'large', plural: 'larges', fields: [field('all', 'group', { fields: many })] };
  expect((await send('POST content-types', large)).json.errors).toMatchObject([{ field: 'fields', code: 'too_long' }]);
  // What a type relates to inside a field cannot be removed.
  const kind = { singular: 'kind', plural: 'kinds', fields: [text] };
  expect((await send('POST content-types', kind)).status).toBe(201);
  const toKind = field('kind', 'relation', { relation: { relation_type: 'many_to_one', target: 'kinds' } });
  expect(
    (
      await send('PUT content-types/sheet', {
        ...more,
        fields: [...more.fields, field('g', 'group', { fields: [toKind] })],
      })
    ).status,
  ).toBe(200);
  expect((await send('DELETE content-types/kind')).status).toBe(409);
});

test('a draft holds a structured value, whose references count when it is published', async () => {
  const made = (await send('POST cms/plays', { title: 'a', status: 'published', body: quotes(1) })).json;
  const other = (await send('POST cms/authors', { name: 'Other' })).json.id;
  const next = [...made.body, { block: 'quote', author: other, text: 'next' }];
  const draft = await send(`PUT cms/plays/${made.id}?draft=true`, { body: next });
  expect(draft.json.body).toMatchObject([{ id: made.body[0].id }, { author: other }]);
  const again = await send(`PUT cms/plays/${made.id}?draft=true`, { body: draft.json.body });
  expect(again.json.body).toEqual(draft.json.body);
  expect(
    (await send(`PUT cms/plays/${made.id}?draft=true`, { body: [{ block: 'quote', text: 1 }] })).json.errors,
  ).toMatchObject([{ field: 'body[0].text', code: 'wrong_type' }]);
  expect((await send(`GET cms/authors/${other}/usage`)).json.total).toBe(0);
  expect((await send(`POST cms/plays/${made.id}/publish`)).json.body).toEqual(draft.json.body);
  expect((await send(`GET cms/authors/${other}/usage`)).json.items).toMatchObject([{ places: ['body[1].author'] }]);
  // A record that a draft alone refers to can go; the draft is then rejected.
  const third = (await send('POST cms/authors', { name: 'Third' })).json.id;
  await send(`PUT cms/plays/${made.id}?draft=true`, { body: [{ block: 'quote', author: third, text: 'x' }] });
  expect((await send(`DELETE cms/authors/${third}`)).status).toBe(204);
  expect((await send(`POST cms/plays/${made.id}/publish`)).json.errors).toMatchObject([
    { field: 'body[0].author', code: 'unknown_record' },
  ]);
});

test('included records inside fields count in the budget of an answer', async () => {
  const few = (await send('POST cms/plays', { body: quotes(10) })).json.id;
  expect((await send(`GET cms/plays/${few}?include=body.author`)).json.body).toHaveLength(10);
  const many = (await send('POST cms/plays', { body: quotes(11) })).json.id;
  const refused = await send(`GET cms/plays/${many}?include=body.author`);
  expect(refused).toMatchObject({ status: 400, json: { code: 'answer_too_large' } });
  expect((await send(`GET cms/plays/${many}`)).status).toBe(200);
  expect((await send('GET cms/plays?include=body.author')).json.code).toBe('answer_too_large');
});

test('another process, which does not know a new private member yet, does not show it', async () => {
  const nested = (...fields: object[]) => ({
    ...{ singular: 'old', plural: 'olds' },
    fields: [field('rows', 'list', { fields: [text, field('inner', 'group', { fields: [text, ...fields] })] })],
  });
  await using other = await TestService.open([nested()]);
  await other.account('ada', 'admin');
  await other.seed('olds', { rows: [{ text: 'a', inner: { text: 'b' } }] });
  const before = (await other.send('GET /api/v1/cms/olds')).json.items;
  expect(before[0].rows).toEqual([{ text: 'a', inner: { text: 'b' } }]);
  // As a newer version of the files has it, on another machine.
  const secret = field('secret', 'text', { private: true, default: 'hush' });
  const { location } = other.database;
  await using _newer = await TestService.open([nested(secret)], { database: { location } });
  const [row] = await other.database.rows<{ rows: string }>({ sql: 'SELECT rows FROM cms_old', parameters: [] });
  expect(row?.rows).toContain('hush');
  expect((await other.send('GET /api/v1/cms/olds')).json.items).toEqual(before);
  expect((await other.send(`GET /api/v1/cms/olds/${before[0].id}`)).json).toEqual(before[0]);
  const write = await other.send(`PUT /api/v1/admin/cms/olds/${before[0].id}`, { as: 'ada', body: before[0] });
  expect(write).toMatchObject({ status: 503, json: { code: 'definition_changed' } });
});

test('a reference to an account inside a field is emptied with the account, and needed where it is required', async () => {
  const toUser = (name: string, more: object = {}) =>
    field(name, 'relation', { relation: { relation_type: 'many_to_one', target: 'users' }, ...more });
  const team = {
    ...{ singular: 'team', plural: 'teams' },
    fields: [
      field('lead', 'group', { fields: [toUser('who')] }),
      field('rows', 'list', { fields: [toUser('must', { required: true })] }),
    ],
  };
  await using other = await TestService.open([team]);
  await other.account('ada', 'admin');
  const mia = await other.account('mia');
  const { id } = await other.seed('teams', { lead: { who: mia }, rows: [{ must: mia }] });
  const remove = () => other.send(`DELETE /api/v1/admin/users/${mia}`, { as: 'ada' });
  expect(await remove()).toMatchObject({ status: 409, json: { code: 'record_in_use' } });
  await other.send(`PUT /api/v1/admin/cms/teams/${id}`, { as: 'ada', body: { rows: [] } });
  expect(await remove()).toMatchObject({ status: 204 });
  expect((await other.send(`GET /api/v1/cms/teams/${id}`)).json.lead).toEqual({ who: null });
});
