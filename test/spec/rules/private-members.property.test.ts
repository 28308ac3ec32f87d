// databases: sqlite, postgres:rest

import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { anonymous } from '../../../packages/recto/src/base/caller.ts';
import type { ContentType } from '../../../packages/recto/src/definition/content-type.ts';
import { endpointViews } from '../../../packages/recto/src/definition/rights/read-view.ts';
import { withoutPrivate } from '../../../packages/recto/src/definition/structure/private-members.ts';
import { innerFields } from '../../../packages/recto/src/definition/structure/structure-items.ts';
import { Plan, RequestBindings } from '../../../packages/recto/src/records/plans/plan.ts';
import { ReadsCollector } from '../../../packages/recto/src/records/plans/plan-reads.ts';
import type { StoredForm } from '../../../packages/recto/src/records/plans/visibility.ts';
import { Projection } from '../../../packages/recto/src/records/select/projection.ts';
import type { JsonValue } from '../../../packages/recto/src/values/value-kind.ts';
import { randomCases } from '../../support/random-cases.ts';
import { TestService } from '../../support/service.ts';

// Whatever a structured field is made of, a public caller is shown its value without the private members, however the statement
// takes them out.

const sheets = randomCases(6);
const valuesOfEach = randomCases(8);

interface FieldDraft {
  readonly name: string;
  readonly field_type: string;
  readonly private?: boolean;
  readonly item?: object;
  readonly relation?: object;
  readonly fields?: readonly FieldDraft[];
  readonly blocks?: readonly { readonly name: string; readonly fields: readonly FieldDraft[] }[];
}

const names = ['note', 'a-b', 'total', 'block_of', 'value', 'key'];
const relation = { relation_type: 'many_to_one', target: 'authors' };
const author = 'author';

/** Fields with different names, each of which may be private. */
const fieldsWithin = (depth: number): fc.Arbitrary<readonly FieldDraft[]> =>
  fc
    .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 4 })
    .chain((picked) => fc.tuple(...picked.map((name) => fieldOf(name, depth))));

const fieldOf = (name: string, depth: number): fc.Arbitrary<FieldDraft> => {
  const plain = fc.constantFrom<Omit<FieldDraft, 'name'>[]>(
    { field_type: 'text' },
    { field_type: 'text' },
    { field_type: 'json' },
    { field_type: 'decimal' },
    { field_type: 'relation', relation },
  );
  const made =
    depth === 0 ? plain : fc.oneof({ weight: 2, arbitrary: plain }, { weight: 3, arbitrary: structured(depth - 1) });
  const isPrivate = fc.boolean();
  return fc
    .tuple(made, isPrivate)
    .map(([body, secret]): FieldDraft => ({ name, ...body, ...(secret ? { private: true } : {}) }));
};

const structured = (depth: number): fc.Arbitrary<Omit<FieldDraft, 'name'>> =>
  fc.oneof(
    fieldsWithin(depth).map((fields) => ({ field_type: 'group', fields })),
    fieldsWithin(depth).map((fields) => ({ field_type: 'list', fields })),
    fc.constant({ field_type: 'list', item: { field_type: 'relation', relation } }),
    fc.tuple(fieldsWithin(depth), fieldsWithin(depth)).map(([one, other]) => ({
      field_type: 'blocks',
      blocks: ['one', 'other'].map((name, at) => ({ name, fields: at === 0 ? one : other })),
    })),
  );

/** A value that says of its texts whether they, or what they are in, are private. */
function valuesOf(field: FieldDraft, isHidden: boolean, authors: readonly string[]): fc.Arbitrary<JsonValue> {
  const hidden = isHidden || field.private === true;
  const word = hidden ? 'hush' : 'open';
  const text = fc.constantFrom(`${word} "1"`, `${word}\\2\n`, `${word} é🙂`);
  const object = (fields: readonly FieldDraft[]): fc.Arbitrary<Record<string, JsonValue>> =>
    fc
      .tuple(
        ...fields.map((inner) =>
          fc.option(valuesOf(inner, hidden, authors).map((value) => [inner.name, value] as const)),
        ),
      )
      .map((members) => Object.fromEntries(members.filter((member) => member !== null)));
  const some = (item: fc.Arbitrary<JsonValue>) => fc.array(item, { maxLength: 3 });
  const made = (): fc.Arbitrary<JsonValue> => {
    switch (field.field_type) {
      case 'json':
        return fc.oneof(text, fc.constantFrom<JsonValue[]>(1.5, 1e21, [], {}), fc.record({ x: some(text) }));
      case 'decimal':
        return fc.constantFrom(...(hidden ? ['-1234567', '7654321.125'] : ['1', '0.5']));
      case 'relation':
        return fc.constantFrom(...authors);
      case 'group':
        return object(field.fields ?? []);
      case 'list':
        return some(field.item === undefined ? object(field.fields ?? []) : fc.constantFrom(...authors));
      case 'blocks': {
        const blocks = (field.blocks ?? []).map(({ name, fields }) =>
          object(fields).map((one) => ({ block: name, ...one })),
        );
        return some(fc.oneof(...blocks));
      }
      default:
        return text;
    }
  };
  return fc.option(made(), { freq: 8 });
}

const holdsPrivate = /hush|1234567|7654321/;
const drafts = fc
  .sample(fc.tuple(structured(2), structured(1)), { numRuns: sheets })
  .map(([first, second]): readonly FieldDraft[] => [
    { name: 'first', ...first },
    { name: 'second', ...second },
  ]);
const definitions = [
  {
    singular: author,
    plural: 'authors',
    fields: [
      { name: 'name', field_type: 'text' },
      { name: 'mail', field_type: 'text', private: true },
    ],
  },
  ...drafts.map((fields, at) => ({
    singular: `sheet${at}`,
    plural: `sheets${at}`,
    fields,
    api: { update: { access: 'public' } },
  })),
];

let service: TestService;
let authors: readonly string[];

beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('ada', 'admin');
  const made = ['Ines', 'Hugo'].map((name) => service.seed('authors', { name, mail: 'hush' }));
  authors = (await Promise.all(made)).map(({ id }) => id);
}, 600_000);
afterAll(() => service[Symbol.asyncDispose]());

/** Paths of all relations inside the fields that a public caller is shown. */
function includesOf(type: ContentType): string {
  const paths = type.fields.flatMap((field) =>
    innerFields(field).flatMap((inner) =>
      inner.field.place.shape === 'to_one' && !inner.isPrivate ? [[field.name, ...inner.names].join('.')] : [],
    ),
  );
  // Where another block has a relation of the name of a group, the path goes on in its target.
  return [...new Set(paths)].filter((path) => !paths.some((other) => path.startsWith(`${other}.`))).join();
}

/** A value with the ids of records that are included in it. */
const withIds = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(withIds);
  if (typeof value !== 'object' || value === null) return value;
  if ('name' in value && 'id' in value && !('block' in value)) return value.id ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withIds(member)]));
};

const forms: readonly (StoredForm | undefined)[] = [
  'as_defined',
  undefined,
  { isAsDefined: () => sql<boolean>`1 = 1` },
  { isAsDefined: () => sql<boolean>`1 = 0` },
  { isAsDefined: () => undefined },
];

/** The records of a type as a public view, as a statement shows them that knows this of the stored values. */
async function shownBy(type: ContentType, form: StoredForm | undefined): Promise<readonly string[]> {
  const { dialect } = service.database;
  const context = {
    dialect,
    authenticated: false,
    reads: new ReadsCollector(),
    ...(form === undefined ? {} : { form }),
  };
  const record: RawBuilder<string> = new Projection(service.types, context).record(type, 't0', endpointViews.get);
  const plan = new Plan(sql`select ${record} as "body" from ${sql.id(type.table)} as "t0" order by "id"`, dialect);
  const rows = await service.database.rows<{ body: string }>(plan.bind(new RequestBindings(anonymous, [])));
  return rows.map(({ body }) => body);
}

/** Paths of names into a structured field, through every kind of block. */
function pathsInto({ fields = [], blocks = [] }: FieldDraft): readonly (readonly string[])[] {
  const inside = [...fields, ...blocks.flatMap((block) => block.fields)];
  return inside.flatMap((field) => [[field.name], ...pathsInto(field).map((path) => [field.name, ...path])]);
}

/** How many records a filter of a public caller finds; null where it is refused. */
async function foundBy(at: number, filter: string): Promise<number | null> {
  const { status, json } = await service.send(`GET /api/v1/cms/sheets${at}?filter=${encodeURIComponent(filter)}`);
  expect([filter, status === 200 ? undefined : json.code]).toEqual([
    filter,
    status === 200 ? undefined : 'invalid_filter',
  ]);
  return status === 200 ? json.total : null;
}

test.each(drafts.map((fields, at) => [at, fields] as const))(
  'private members are taken out of sheet %p',
  async (at, fields) => {
    const type = service.types.get(`sheet${at}`);
    const body = fc.record(Object.fromEntries(fields.map((field) => [field.name, valuesOf(field, false, authors)])));
    const includes = includesOf(type);
    const expected: JsonValue[] = [];
    for (const sent of fc.sample(body, { numRuns: valuesOfEach })) {
      const admin = await service.seed(`sheets${at}`, sent);
      const { id } = admin;
      const shown = Object.fromEntries(
        Object.entries<JsonValue>(admin).map(([name, value]) => {
          const field = type.field.get(name);
          return [name, field?.structure === undefined ? value : withoutPrivate(field, value)];
        }),
      );
      expected.push(shown);
      const path = `/api/v1/cms/sheets${at}/${id}`;
      const got = await service.send(`GET ${path}`);
      expect(got.json).toEqual(shown);
      expect(got.text).not.toMatch(holdsPrivate);
      const included = await service.send(`GET ${path}?include=${includes}`);
      expect(withIds(included.json)).toEqual(shown);
      expect(included.text).not.toMatch(holdsPrivate);
      const { id: _, ...back } = shown;
      const updated = await service.send(`PUT ${path}`, { body: back });
      expect([updated.status, updated.json]).toEqual([200, shown]);
      expect((await service.send(`GET /api/v1/admin/cms/sheets${at}/${id}`, { as: 'ada' })).json).toEqual(admin);
    }
    for (const form of forms) {
      const bodies = await shownBy(type, form);
      expect(bodies.map((text) => JSON.parse(text))).toEqual(expected);
      for (const text of bodies) expect(text).not.toMatch(holdsPrivate);
    }
  },
  600_000,
);

/** The values at a path of what a public caller is shown, where an array on the way stands for its items. */
const valuesAt = (value: JsonValue, path: readonly string[]): readonly JsonValue[] => {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  const member = Object.entries(value ?? {}).find(([key]) => key === name)?.[1];
  return member === undefined ? [] : valuesAt(member, rest);
};

test.each(drafts.map((fields, at) => [at, fields] as const))(
  'a filter of a public caller finds what it shows of sheet %p, never by private members',
  async (at, fields) => {
    const { json } = await service.send(`GET /api/v1/cms/sheets${at}?page_size=100`);
    const paths = fields.flatMap((field) => pathsInto(field).map((path) => [field.name, ...path].join('.')));
    for (const path of new Set(paths)) {
      const shown = json.items.filter((item: JsonValue) =>
        valuesAt(item, path.split('.')).some((value) => typeof value === 'string' && value.startsWith('open')),
      );
      for (const operator of ['~', '?~']) {
        expect((await foundBy(at, `${path} ${operator} "hush%"`)) ?? 0).toBe(0);
        const open = (await foundBy(at, `${path} ${operator} "open%"`)) ?? shown.length;
        expect([path, operator, open]).toEqual([path, operator, shown.length]);
      }
    }
  },
  600_000,
);
