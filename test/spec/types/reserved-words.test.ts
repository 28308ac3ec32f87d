// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { columnWords, sqlWords, systemColumns } from '../../support/database/sql-words.ts';
import { TestService } from '../../support/service.ts';

// A field may have any name that its definition is taken with, whatever SQL means by it.

const root = '/api/v1/admin/content-types';
const admin = { as: 'ada' } as const;
const thing = { singular: 'thing', plural: 'things', api: { create: { access: 'public' } } };
const texts = (names: readonly string[]) => names.map((name) => ({ name, field_type: 'text' }));

/** Names that are taken for reasons of their own are not for fields. */
/** Values in rules, which are no names there. */
const ruleLiterals = ['true', 'false', 'null'];
const listParameters = [
  ...['page', 'page_size', 'filter', 'sort', 'search', 'include', 'fields', 'skip_total', 'cursor'],
];
const taken: readonly string[] = [...systemColumns, ...listParameters, ...ruleLiterals];
const words = [...new Set([...sqlWords, ...columnWords])].filter((word) => !taken.includes(word));

/** So many as a type of the API has fields. */
const groups = Array.from({ length: Math.ceil(words.length / 150) }, (_, at) => words.slice(at * 150, at * 150 + 150));

async function withType(): Promise<TestService> {
  const service = await TestService.open([]);
  await service.account('ada', 'admin');
  expect((await service.send(`POST ${root}`, { ...admin, body: { ...thing, fields: texts(['a1']) } })).status).toBe(
    201,
  );
  await service.seed('things', { a1: 'before' });
  return service;
}

describe('each word of SQL as the name of a field that is added to a stored type', () => {
  test.each(groups.map((group, index) => [index + 1, group] as const))('group %d', async (_, group) => {
    await using service = await withType();
    const { status, text } = await service.send(`PUT ${root}/thing`, {
      ...admin,
      body: { ...thing, fields: texts(['a1', ...group]) },
    });
    expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
    const values = Object.fromEntries(group.map((name) => [name, `of ${name}`]));
    const made = await service.send('POST /api/v1/cms/things', { body: values });
    expect(made.json).toMatchObject(values);
    const path = `/api/v1/admin/cms/things/${made.json.id}`;
    const changed = Object.fromEntries(group.map((name) => [name, `new ${name}`]));
    expect((await service.send(`PUT ${path}`, { ...admin, body: changed })).json).toMatchObject(changed);
    for (const name of group) {
      const { json } = await service.send(`GET /api/v1/cms/things?${name}=new%20${name}&sort=${name}:desc`);
      expect({ name, json }).toMatchObject({ name, json: { total: 1, items: [{ [name]: `new ${name}` }] } });
    }
    expect((await service.send(`GET /api/v1/cms/things?search=new%20${group.at(-1)}`)).json.total).toBe(1);
  });
});

const kinds: readonly object[] = [
  { field_type: 'text', unique: true, max_length: 50 },
  { field_type: 'integer', indexed: true, default: 1 },
  { field_type: 'json' },
  { field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'things' } },
  { field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'things' } },
];

test.each(kinds)('words of SQL name fields as %j', async (kind) => {
  await using service = await withType();
  for (const group of groups) {
    const fields = [...texts(['a1']), ...group.slice(0, 60).map((name) => ({ name, ...kind }))];
    const body = { singular: `x${group[0]}`, plural: `xs${group[0]}`, fields: texts(['a1']) };
    expect((await service.send(`POST ${root}`, { ...admin, body })).status).toBe(201);
    await service.seed(body.plural, { a1: 'before' });
    const { status, text } = await service.send(`PUT ${root}/${body.singular}`, {
      ...admin,
      body: { ...body, fields },
    });
    expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
    const { json } = await service.send(`GET /api/v1/cms/${body.plural}`);
    expect(Object.keys(json.items[0])).toEqual(['id', ...fields.map(({ name }) => name)]);
  }
});

test.each([...systemColumns, ...ruleLiterals])(
  '"%s", a column of each table or a value in rules, is an error at its place',
  async (name) => {
    await using service = await withType();
    for (const kind of kinds) {
      const fields = [...texts(['a1']), { name, ...kind }];
      const changed = await service.send(`PUT ${root}/thing`, { ...admin, body: { ...thing, fields } });
      const made = await service.send(`POST ${root}`, { ...admin, body: { singular: 'b', plural: 'bs', fields } });
      for (const { status, json } of [changed, made]) {
        expect(status).toBe(422);
        expect(json.errors).toMatchObject([{ field: 'fields[1].name', code: 'taken' }]);
        expect(json.errors[0].message).toContain(ruleLiterals.includes(name) ? 'a value in rules' : 'databases');
      }
    }
  },
);
