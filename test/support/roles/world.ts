import fc from 'fast-check';
import type {
  Action,
  Condition,
  Grant,
  RecordModel,
  RequestModel,
  RoleModel,
  Stored,
  TypeModel,
  TypeTable,
} from './reference.ts';

// Content types, records, roles and requests for the tests of roles. Ids are the test's own, so that both sides know them.

const relation = (name: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type: 'many_to_one', target },
  ...more,
});
const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const closed = { list: { access: 'none' }, get: { access: 'none' } };

/** The definitions as a deployment has them. */
export const definitions = [
  {
    singular: 'team',
    plural: 'teams',
    fields: [text('name'), { name: 'budget', field_type: 'integer', private: true }],
    api: closed,
  },
  {
    singular: 'writer',
    plural: 'writers',
    fields: [text('name'), text('secret', { private: true }), relation('team', 'teams')],
    api: closed,
  },
  {
    singular: 'article',
    plural: 'articles',
    protocols: [
      { name: 'statusable', values: ['draft', 'published', 'archived'], default: 'draft', published: 'published' },
    ],
    fields: [
      text('title'),
      text('body'),
      text('owner'),
      text('memo', { private: true }),
      { name: 'views', field_type: 'integer', indexed: true },
      { name: 'fee', field_type: 'integer' },
      relation('author', 'writers'),
      relation('editor', 'writers'),
    ],
    api: closed,
  },
];

/** The same for the reference. */
export const types: readonly TypeModel[] = [
  {
    singular: 'team',
    plural: 'teams',
    fields: [
      { name: 'name', isText: true },
      { name: 'budget', isPrivate: true },
    ],
  },
  {
    singular: 'writer',
    plural: 'writers',
    fields: [
      { name: 'name', isText: true },
      { name: 'secret', isText: true, isPrivate: true },
      { name: 'team', target: 'team' },
    ],
  },
  {
    singular: 'article',
    plural: 'articles',
    published: { field: 'status', value: 'published' },
    fields: [
      { name: 'title', isText: true },
      { name: 'body', isText: true },
      { name: 'owner', isText: true },
      { name: 'memo', isText: true, isPrivate: true },
      { name: 'views' },
      { name: 'fee' },
      { name: 'author', target: 'writer' },
      { name: 'editor', target: 'writer' },
      { name: 'status' },
    ],
  },
];

const words = ['amber', 'birch', 'cedar'];
const word = fc.constantFrom(...words);
const phrase = fc.array(word, { minLength: 1, maxLength: 2 }).map((some) => some.join(' '));
const number = fc.constantFrom(0, 1, 2);
const status = fc.constantFrom('draft', 'published', 'archived');

const id = (type: number, place: number): string =>
  `01900000-0000-7000-8000-${String(type * 100 + place).padStart(12, '0')}`;
const counts = { team: 2, writer: 3, article: 6 } as const;
const idsOf = {
  team: Array.from({ length: counts.team }, (_, place) => id(1, place)),
  writer: Array.from({ length: counts.writer }, (_, place) => id(2, place)),
  article: Array.from({ length: counts.article }, (_, place) => id(3, place)),
};

/** What stands in `owner` of a record that belongs to the account that asks. */
export const ownMark = 'OWN';

const bodies: Readonly<Record<string, fc.Arbitrary<Readonly<Record<string, string | number | null>>>>> = {
  team: fc.record({ name: phrase, budget: fc.option(number) }),
  writer: fc.record({ name: phrase, secret: fc.option(phrase), team: fc.option(fc.constantFrom(...idsOf.team)) }),
  article: fc.record({
    title: phrase,
    body: fc.option(phrase),
    owner: fc.constantFrom(ownMark, 'somebody', null),
    memo: fc.option(phrase),
    views: fc.option(number),
    fee: fc.option(number),
    author: fc.option(fc.constantFrom(...idsOf.writer)),
    editor: fc.option(fc.constantFrom(...idsOf.writer)),
    status,
  }),
};

export const stored: fc.Arbitrary<Stored> = fc.record(
  Object.fromEntries(
    Object.entries(idsOf).map(([type, ids]) => [
      type,
      fc.tuple(
        ...ids.map((own) => (bodies[type] ?? fc.constant({})).map((body): RecordModel => ({ ...body, id: own }))),
      ),
    ]),
  ),
);

const comparisons: Readonly<Record<string, fc.Arbitrary<Condition>>> = {
  team: fc.oneof(named(['name'], phrase), numbered(['budget'])),
  writer: fc.oneof(
    named(['name'], phrase),
    named(['secret'], phrase),
    named(['team', 'name'], phrase),
    numbered(['team', 'budget']),
  ),
  article: fc.oneof(
    named(['title'], phrase),
    named(['body'], phrase),
    named(['memo'], phrase),
    numbered(['views']),
    numbered(['fee']),
    named(['status'], status),
    named(['author', 'name'], phrase),
    named(['author', 'secret'], phrase),
    named(['author', 'team', 'name'], phrase),
    named(['author'], fc.constantFrom(...idsOf.writer)),
    numbered(['editor', 'team', 'budget']),
    fc.constant<Condition>({ own: 'owner' }),
  ),
};

function named(path: readonly string[], values: fc.Arbitrary<string>): fc.Arbitrary<Condition> {
  return fc.record({ path: fc.constant(path), operator: fc.constantFrom('=', '!='), value: values });
}

function numbered(path: readonly string[]): fc.Arbitrary<Condition> {
  return fc.record({ path: fc.constant(path), operator: fc.constantFrom('=', '!=', '<', '>'), value: number });
}

const conditionOn = (type: string): fc.Arbitrary<Condition> => {
  const one = comparisons[type] ?? fc.constant<Condition>({ all: [] });
  const some = fc.array(one, { minLength: 2, maxLength: 3 });
  return fc.oneof(
    { weight: 3, arbitrary: one },
    some.map((all): Condition => ({ all })),
    some.map((any): Condition => ({ any })),
  );
};

const fieldNames = (type: string): readonly string[] =>
  (types.find(({ singular }) => singular === type)?.fields ?? []).map(({ name }) => name);
const someOf = (names: readonly string[]) => fc.subarray([...names]);
const fieldsOf = (type: string) =>
  fc.oneof(
    someOf(fieldNames(type)).map((only) => ({ only })),
    someOf(fieldNames(type)).map((except) => ({ except })),
  );

const actions: readonly Action[] = ['list', 'get', 'create', 'update', 'delete', 'publish'];

function tableFor(type: string): fc.Arbitrary<TypeTable> {
  // Mostly granted: of a role without rights there is little to learn.
  const grant = fc.oneof<fc.MaybeWeightedArbitrary<Grant>[]>(
    { weight: 5, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
    { weight: 5, arbitrary: conditionOn(type) },
  );
  const grants = fc.record(Object.fromEntries(actions.map((action) => [action, grant])), { requiredKeys: [] });
  const fields = fc.record(
    { read: fieldsOf(type), write: fc.subarray([...fieldNames(type)]).map((except) => ({ except })) },
    { requiredKeys: [] },
  );
  return fc.tuple(grants, fields).map(([some, more]): TypeTable => ({ ...some, ...more }));
}

export const role: fc.Arbitrary<RoleModel> = fc
  .record({
    base: fc.constantFrom<('member' | 'editor' | undefined)[]>('member', 'editor', undefined),
    article: tableFor('article'),
    writer: fc.option(tableFor('writer'), { nil: undefined }),
    team: fc.option(tableFor('team'), { nil: undefined }),
    any: fc.option(fc.record({ list: fc.boolean(), get: fc.boolean() }), { nil: undefined }),
  })
  .map(({ base, article, writer, team, any }) => ({
    name: 'clerk',
    ...(base === undefined ? {} : { base }),
    types: {
      article,
      ...(writer === undefined ? {} : { writer }),
      ...(team === undefined ? {} : { team }),
      ...(any === undefined ? {} : { '*': any }),
    },
  }));

const anyType = fc.constantFrom('article', 'article', 'article', 'writer', 'team');
const relationsOf: Readonly<Record<string, readonly string[]>> = {
  article: ['author', 'editor'],
  writer: ['team'],
  team: [],
};

export const request: fc.Arbitrary<RequestModel> = anyType.chain((type) => {
  const names = fieldNames(type);
  const ids = fc.constantFrom(...(idsOf[type as keyof typeof idsOf] ?? []));
  const relations = relationsOf[type] ?? [];
  const include = relations.length === 0 ? {} : { include: fc.constantFrom(...relations) };
  const sortable = names.filter((name) => !relations.includes(name));
  const change = (bodies[type] ?? fc.constant({})).chain((whole) => {
    const entries = Object.entries(whole);
    const some = fc.subarray(entries, { minLength: 1, maxLength: Math.min(3, entries.length) });
    return some.map((chosen) => Object.fromEntries(chosen));
  });
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record(
        {
          do: fc.constant('list' as const),
          type: fc.constant(type),
          filter: conditionOn(type),
          sort: fc.record({ field: fc.constantFrom(...sortable), direction: fc.constantFrom('asc', 'desc') }),
          search: word,
          ...include,
        },
        { requiredKeys: ['do', 'type'] },
      ),
    },
    {
      weight: 3,
      arbitrary: fc.record(
        { do: fc.constant('get' as const), type: fc.constant(type), id: ids, ...include },
        { requiredKeys: ['do', 'type', 'id'] },
      ),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('count' as const),
        type: fc.constant(type),
        group: fc.constantFrom(...names),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), type: fc.constant(type), body: change }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('update' as const), type: fc.constant(type), id: ids, body: change }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), type: fc.constant(type), id: ids }) },
  ) as fc.Arbitrary<RequestModel>;
});
