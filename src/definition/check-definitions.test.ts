import { describe, expect, test } from 'bun:test';
import { definitionsOf } from '../../test/definitions.ts';
import { checkDefinitions } from './check-definitions.ts';
import type { ContentType } from './content-type.ts';
import { readableFields } from './readable-fields.ts';

type Part = Readonly<Record<string, unknown>>;

const article = (parts: Part): Part => ({ singular: 'article', plural: 'articles', ...parts });
const withField = (field: Part): Part =>
  article({
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'x', ...field },
    ],
  });
const author: Part = { singular: 'author', plural: 'authors', fields: [{ name: 'name', field_type: 'text' }] };
const relation = (relation_type: string, target: string, more: Part = {}): Part => ({
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});

const check = (...definitions: readonly unknown[]) =>
  checkDefinitions(definitions.map((definition, index) => ({ file: `${index}`, definition })));

/** The faults as `path`, `message` and `remedy`. */
const faultsOf = (...definitions: readonly unknown[]) =>
  (check(...definitions).faults ?? []).map(({ path, message, remedy }) => ({ path, message, remedy }));

interface FaultCase {
  readonly of: readonly unknown[];
  readonly path: string;
  readonly message: RegExp;
  readonly remedy: RegExp;
}

const inShape: readonly FaultCase[] = [
  { of: [null], path: '', message: /must be an object, not null/, remedy: /write a value of that type/ },
  { of: [[]], path: '', message: /must be an object, not a list/, remedy: /of that type/ },
  { of: [{ plural: 'articles' }], path: 'singular', message: /singular is missing/, remedy: /singular = "article"/ },
  { of: [{ singular: 'article' }], path: 'plural', message: /plural is missing/, remedy: /plural = "articles"/ },
  { of: [article({ plural: 'article' })], path: 'plural', message: /also the singular/, remedy: /differently/ },
  {
    of: [article({ singular: 'Blog Post' })],
    path: 'singular',
    message: /"Blog Post" is no singular/,
    remedy: /"blog_post"/,
  },
  { of: [article({ plural: 'x'.repeat(51) })], path: 'plural', message: /at most 50 characters/, remedy: /bound/ },
  { of: [article({ name: '' })], path: 'name', message: /must not be empty/, remedy: /bound/ },
  { of: [article({ kind: 'collectoin' })], path: 'kind', message: /"collectoin" is no kind/, remedy: /"collection"/ },
  { of: [article({ feilds: [] })], path: 'feilds', message: /unknown name "feilds"/, remedy: /did you mean "fields"/ },
  {
    of: [article({ 'odd key': 1 })],
    path: '["odd key"]',
    message: /unknown name "odd key"/,
    remedy: /known here: name, singular/,
  },
  { of: [article({ fields: {} })], path: 'fields', message: /must be an array, not a table/, remedy: /of that type/ },
  {
    of: [article({ fields: ['title'] })],
    path: 'fields[0]',
    message: /must be an object, not "title"/,
    remedy: /of that type/,
  },
  {
    of: [article({ api_restful: 'false' })],
    path: 'api_restful',
    message: /must be true or false, not "false"/,
    remedy: /without quotes/,
  },
  { of: [article({ description: () => 'x' })], path: 'description', message: /is a function/, remedy: /write text/ },
  { of: [article({ api: { lst: {} } })], path: 'api.lst', message: /unknown name "lst"/, remedy: /"list"/ },
  {
    of: [article({ api: { list: { acces: 'public' } } })],
    path: 'api.list.acces',
    message: /unknown name "acces"/,
    remedy: /"access"/,
  },
  {
    of: [article({ api: { list: { access: 'members' } } })],
    path: 'api.list.access',
    message: /"members" is no access/,
    remedy: /"member"/,
  },
  {
    of: [article({ api: { list: { cache: 1 } } })],
    path: 'api.list.cache',
    message: /must be true or false, not 1/,
    remedy: /of that type/,
  },
];

const ofFields: readonly FaultCase[] = [
  {
    of: [article({ fields: [{ field_type: 'text' }] })],
    path: 'fields[0].name',
    message: /name is missing/,
    remedy: /name = "title"/,
  },
  { of: [withField({})], path: 'fields[1].field_type', message: /field_type is missing/, remedy: /richtext/ },
  {
    of: [withField({ field_type: 'txt' })],
    path: 'fields[1].field_type',
    message: /"txt" is no field type/,
    remedy: /"text"/,
  },
  {
    of: [withField({ field_type: 'string_thing' })],
    path: 'fields[1].field_type',
    message: /no field type/,
    remedy: /one of: text, richtext/,
  },
  {
    of: [withField({ field_type: 'text', requird: true })],
    path: 'fields[1].requird',
    message: /unknown name "requird"/,
    remedy: /"required"/,
  },
  {
    of: [withField({ field_type: 'text', max_length: '200' })],
    path: 'fields[1].max_length',
    message: /must be an integer, not "200"/,
    remedy: /write 200 without quotes/,
  },
  {
    of: [withField({ field_type: 'text', max_length: -1 })],
    path: 'fields[1].max_length',
    message: /0 or more, not -1/,
    remedy: /bound/,
  },
  {
    of: [withField({ field_type: 'boolean', max_length: 3 })],
    path: 'fields[1].max_length',
    message: /type boolean has no max_length/,
    remedy: /leave it out.*: none/,
  },
  {
    of: [withField({ field_type: 'integer', pattern: 'a' })],
    path: 'fields[1].pattern',
    message: /integer has no pattern/,
    remedy: /min, max/,
  },
  {
    of: [withField({ field_type: 'text', relation: { relation_type: 'many_to_one', target: 'articles' } })],
    path: 'fields[1].relation',
    message: /text has no relation/,
    remedy: /field_type = "relation"/,
  },
  {
    of: [withField({ field_type: 'text', min_length: 9, max_length: 3 })],
    path: 'fields[1].min_length',
    message: /\(9\) is more than the greatest \(3\)/,
    remedy: /min_length or max_length/,
  },
  {
    of: [withField({ field_type: 'text', pattern: '[' })],
    path: 'fields[1].pattern',
    message: /no regular expression/,
    remedy: /RegExp/,
  },
  {
    of: [withField({ field_type: 'integer', min: 3, max: 1 })],
    path: 'fields[1].min',
    message: /\(3\) is more than the greatest \(1\)/,
    remedy: /min or max/,
  },
  {
    of: [withField({ field_type: 'enum' })],
    path: 'fields[1].enum_values',
    message: /needs the list/,
    remedy: /enum_values = /,
  },
  {
    of: [withField({ field_type: 'enum', enum_values: 'a' })],
    path: 'fields[1].enum_values',
    message: /must be an array/,
    remedy: /of that type/,
  },
  {
    of: [withField({ field_type: 'enum', enum_values: ['a', 1] })],
    path: 'fields[1].enum_values[1]',
    message: /must be a string, not 1/,
    remedy: /of that type/,
  },
  {
    of: [withField({ field_type: 'enum', enum_values: ['a', 'a'] })],
    path: 'fields[1].enum_values',
    message: /twice/,
    remedy: /list/,
  },
  {
    of: [withField({ field_type: 'text', default: 3 })],
    path: 'fields[1].default',
    message: /own default: Must be a string[^.]*$/,
    remedy: /write a value/,
  },
  {
    of: [withField({ field_type: 'text', max_length: 2, default: 'abc' })],
    path: 'fields[1].default',
    message: /at most 2 characters/,
    remedy: /takes/,
  },
  {
    of: [withField({ field_type: 'enum', enum_values: ['a'], default: 'b' })],
    path: 'fields[1].default',
    message: /one of: a/,
    remedy: /takes/,
  },
  {
    of: [withField({ field_type: 'password', default: 'password1' })],
    path: 'fields[1].default',
    message: /secret/,
    remedy: /leave/,
  },
  {
    of: [withField({ field_type: 'json', unique: true })],
    path: 'fields[1].unique',
    message: /json cannot/,
    remedy: /leave unique out/,
  },
  {
    of: [withField({ field_type: 'password', unique: true })],
    path: 'fields[1].unique',
    message: /password cannot/,
    remedy: /leave/,
  },
  {
    of: [withField({ field_type: 'uid', target_field: 'titel' })],
    path: 'fields[1].target_field',
    message: /no field "titel"/,
    remedy: /title/,
  },
  {
    of: [withField({ field_type: 'uid', target_field: 'x' })],
    path: 'fields[1].target_field',
    message: /no field "x" to make/,
    remedy: /title/,
  },
  {
    of: [
      article({
        fields: [
          { name: 'n', field_type: 'integer' },
          { name: 'u', field_type: 'uid', target_field: 'n' },
        ],
      }),
    ],
    path: 'fields[1].target_field',
    message: /of type integer/,
    remedy: /text, richtext/,
  },
  {
    of: [
      article({
        fields: [
          { name: 'n', field_type: 'text', private: true },
          { name: 'u', field_type: 'uid', target_field: 'n' },
        ],
      }),
    ],
    path: 'fields[1].target_field',
    message: /private field "n"/,
    remedy: /private too/,
  },
  ...['id', 'page', 'page_size', 'sort', 'search', 'include', 'skip_total', 'cursor', 'constructor'].map((name) => ({
    of: [article({ fields: [{ name, field_type: 'text' }] })],
    path: 'fields[0].name',
    message: new RegExp(`"${name}" is taken`),
    remedy: /another name/,
  })),
  ...['Title', '1st', '__meta', 'a b', '', 'ünï'].map((name) => ({
    of: [article({ fields: [{ name, field_type: 'text' }] })],
    path: 'fields[0].name',
    message: /is no name|must not be empty/,
    remedy: /begins with a letter|bound/,
  })),
  {
    of: [article({ protocols: ['timestampable'], fields: [{ name: 'created_at', field_type: 'datetime' }] })],
    path: 'fields[0].name',
    message: /column of a protocol/,
    remedy: /another name/,
  },
  {
    of: [
      article({
        fields: [
          { name: 'a', field_type: 'text' },
          { name: 'b', field_type: 'text' },
          { name: 'a', field_type: 'date' },
        ],
      }),
    ],
    path: 'fields[2].name',
    message: /"a" is already defined as fields\[0\]/,
    remedy: /own name/,
  },
];

const ofRelations: readonly FaultCase[] = [
  {
    of: [withField({ field_type: 'relation' })],
    path: 'fields[1].relation',
    message: /does not say to what/,
    remedy: /relation_type = /,
  },
  {
    of: [withField({ field_type: 'relation', relation: 'authors' })],
    path: 'fields[1].relation',
    message: /must be an object/,
    remedy: /of that type/,
  },
  {
    of: [withField({ field_type: 'relation', relation: { target: 'articles' } })],
    path: 'fields[1].relation.relation_type',
    message: /missing/,
    remedy: /one_to_one, many_to_one/,
  },
  {
    of: [withField({ field_type: 'relation', relation: { relation_type: 'many_to_one' } })],
    path: 'fields[1].relation.target',
    message: /missing/,
    remedy: /target = /,
  },
  {
    of: [withField(relation('many_to_on', 'articles'))],
    path: 'fields[1].relation.relation_type',
    message: /no relation type/,
    remedy: /"many_to_one"/,
  },
  {
    of: [withField(relation('many_to_one', 'auhtors')), author],
    path: 'fields[1].relation.target',
    message: /no content type "auhtors"/,
    remedy: /"authors"/,
  },
  {
    of: [withField(relation('many_to_one', 'authors', { mapped_by: 'x' })), author],
    path: 'fields[1].relation.mapped_by',
    message: /not mapped/,
    remedy: /leave it out/,
  },
  {
    of: [withField(relation('many_to_one', 'authors', { cascade: true })), author],
    path: 'fields[1].relation.cascade',
    message: /unknown name/,
    remedy: /relation_type, target, mapped_by/,
  },
  {
    of: [withField({ ...relation('many_to_one', 'authors'), default: 'x' }), author],
    path: 'fields[1].default',
    message: /record id/,
    remedy: /takes/,
  },
  {
    of: [withField({ ...relation('many_to_many', 'authors'), unique: true }), author],
    path: 'fields[1].unique',
    message: /means nothing on a relation to many/,
    remedy: /leave/,
  },
  {
    of: [withField({ ...relation('many_to_many', 'authors'), default: [] }), author],
    path: 'fields[1].default',
    message: /means nothing/,
    remedy: /leave/,
  },
  {
    of: [withField(relation('one_to_many', 'authors')), author],
    path: 'fields[1].relation',
    message: /no field of author that points back/,
    remedy: /add a many_to_one field in 1/,
  },
  {
    of: [withField(relation('one_to_many', 'authors', { mapped_by: 'name' })), author],
    path: 'fields[1].relation.mapped_by',
    message: /"name" is no field/,
    remedy: /many_to_one/,
  },
  {
    of: [
      withField(relation('one_to_many', 'authors')),
      {
        ...author,
        fields: [
          { name: 'a', ...relation('many_to_one', 'articles') },
          { name: 'b', ...relation('one_to_one', 'article') },
        ],
      },
    ],
    path: 'fields[1].relation',
    message: /several fields of author point back: a, b/,
    remedy: /mapped_by = "a"/,
  },
  {
    of: [
      withField(relation('one_to_many', 'authors')),
      { ...author, fields: [{ name: 'a', ...relation('many_to_one', 'articles'), private: true }] },
    ],
    path: 'fields[1]',
    message: /private field "a" of author/,
    remedy: /private too/,
  },
  ...['required', 'unique', 'immutable'].map((option) => ({
    of: [
      withField({ ...relation('one_to_many', 'authors'), [option]: true }),
      { ...author, fields: [{ name: 'a', ...relation('many_to_one', 'articles') }] },
    ],
    path: `fields[1].${option}`,
    message: /means nothing on the mapped side/,
    remedy: /leave it out/,
  })),
];

const ofTypes: readonly FaultCase[] = [
  {
    of: [author, article({ plural: 'authors' })],
    path: 'plural',
    message: /"authors" is already the plural of the type in 0/,
    remedy: /different names/,
  },
  {
    of: [author, article({ singular: 'authors' })],
    path: 'singular',
    message: /already the plural/,
    remedy: /different/,
  },
  {
    of: [author, { singular: 'author', kind: 'single' }],
    path: 'singular',
    message: /already the singular/,
    remedy: /different/,
  },
  {
    of: [article({ protocols: ['timestampible'] })],
    path: 'protocols[0]',
    message: /no protocol "timestampible"/,
    remedy: /"timestampable"/,
  },
  {
    of: [article({ protocols: ['ownable', { name: 'ownable' }] })],
    path: 'protocols[1]',
    message: /named twice/,
    remedy: /once/,
  },
  {
    of: [article({ protocols: [3] })],
    path: 'protocols[0]',
    message: /must be a string or an object, not 3/,
    remedy: /of that type/,
  },
  {
    of: [article({ protocols: [{ required: true }] })],
    path: 'protocols[0].name',
    message: /name is missing/,
    remedy: /add name/,
  },
  {
    of: [article({ protocols: [{ name: 'ownable', by: 1 }] })],
    path: 'protocols[0].by',
    message: /ownable takes no options/,
    remedy: /leave/,
  },
  {
    of: [article({ protocols: [{ name: 'lockable', requird: true }] })],
    path: 'protocols[0].requird',
    message: /no such option/,
    remedy: /required/,
  },
  {
    of: [article({ protocols: [{ name: 'lockable', required: 1 }] })],
    path: 'protocols[0].required',
    message: /true or false/,
    remedy: /kind/,
  },
  ...(['list', 'create', 'delete'] as const).map((name) => ({
    of: [{ singular: 'settings', kind: 'single', api: { [name]: {} } }],
    path: `api.${name}`,
    message: new RegExp(`no ${name} route`),
    remedy: /api\.get and api\.update/,
  })),
  ...(['create', 'update', 'delete'] as const).map((name) => ({
    of: [article({ api: { [name]: { cache: true } } })],
    path: `api.${name}.cache`,
    message: /no cache can answer/,
    remedy: /list and get/,
  })),
  {
    of: [article({ api: { list: { fields: ['titel'] } }, fields: [{ name: 'title', field_type: 'text' }] })],
    path: 'api.list.fields[0]',
    message: /no field "titel"/,
    remedy: /"title"/,
  },
  {
    of: [
      article({ api: { get: { fields: ['note'] } }, fields: [{ name: 'note', field_type: 'text', private: true }] }),
    ],
    path: 'api.get.fields[0]',
    message: /"note" is private/,
    remedy: /leave it out/,
  },
  {
    of: [article({ api: { get: { fields: ['pin'] } }, fields: [{ name: 'pin', field_type: 'password' }] })],
    path: 'api.get.fields[0]',
    message: /never told/,
    remedy: /leave/,
  },
  ...(['list', 'get', 'create', 'update', 'delete'] as const).flatMap((name) =>
    (['filter', 'filter_auth'] as const).map((option) => ({
      of: [article({ api: { [name]: { [option]: 'nosuch = 1' } } })],
      path: `api.${name}.${option}`,
      message: /nosuch/,
      remedy: /column 1/,
    })),
  ),
  { of: [article({ api: { list: { filter: '' } } })], path: 'api.list.filter', message: /./, remedy: /column 1/ },
];

describe.each([
  ['shape', inShape],
  ['fields', ofFields],
  ['relations', ofRelations],
  ['types, protocols and endpoints', ofTypes],
] as const)('faults of %s', (_, cases) => {
  test.each(cases.map((one) => ({ title: JSON.stringify(one.of).slice(0, 110), ...one })))('$title', (one) => {
    const faults = faultsOf(...one.of);
    expect(faults.map(({ path }) => path)).toEqual([one.path]);
    expect(faults[0]?.message).toMatch(one.message);
    expect(faults[0]?.remedy).toMatch(one.remedy);
  });
});

describe('names from before', () => {
  const renamed = (name: string, from: string): Part => ({ name, field_type: 'text', renamed_from: from });
  const cases: readonly FaultCase[] = [
    {
      of: [withField({ field_type: 'text', renamed_from: 'title' })],
      path: 'fields[1].renamed_from',
      message: /still has a field "title"/,
      remedy: /take that field away/,
    },
    {
      of: [article({ protocols: ['lockable'], fields: [renamed('a', 'lock_version')] })],
      path: 'fields[0].renamed_from',
      message: /still has a field "lock_version"/,
      remedy: /leave renamed_from out/,
    },
    {
      of: [article({ fields: [renamed('a', 'a')] })],
      path: 'fields[0].renamed_from',
      message: /still has a field "a"/,
      remedy: /leave renamed_from out/,
    },
    {
      of: [article({ fields: [renamed('a', 'old'), renamed('b', 'old')] })],
      path: 'fields[1].renamed_from',
      message: /"old" is given as fields\[0\]\.renamed_from already/,
      remedy: /in one of the two/,
    },
    {
      of: [article({ fields: [renamed('a', 'No name')] })],
      path: 'fields[0].renamed_from',
      message: /is no renamed from/,
      remedy: /"no_name"/,
    },
    {
      of: [
        { ...author, fields: [{ name: 'on', ...relation('many_to_one', 'articles') }] },
        article({ fields: [{ name: 'by', ...relation('one_to_many', 'authors'), renamed_from: 'x' }] }),
      ],
      path: 'fields[0].renamed_from',
      message: /means nothing on the mapped side/,
      remedy: /leave it out/,
    },
    {
      of: [author, article({ renamed_from: 'author' })],
      path: 'renamed_from',
      message: /"author" is still the name of the type in 0/,
      remedy: /take that definition away/,
    },
    {
      of: [article({ renamed_from: 'article' })],
      path: 'renamed_from',
      message: /"article" is still the name/,
      remedy: /leave renamed_from out/,
    },
    {
      of: [{ ...author, renamed_from: 'old' }, article({ renamed_from: 'old' })],
      path: 'renamed_from',
      message: /the type in 0 is renamed from "old" as well/,
      remedy: /the records go to one type/,
    },
  ];

  test.each(cases)('$path: $message', ({ of, path, message, remedy }) => {
    expect(faultsOf(...of)).toEqual([
      { path, message: expect.stringMatching(message), remedy: expect.stringMatching(remedy) },
    ]);
  });

  test('of a circle, each is told', () => {
    expect(faultsOf(article({ fields: [renamed('a', 'b'), renamed('b', 'a')] })).map(({ path }) => path)).toEqual([
      'fields[0].renamed_from',
      'fields[1].renamed_from',
    ]);
  });

  test('are kept', () => {
    const types = definitionsOf(article({ renamed_from: 'old', fields: [renamed('a', 'b')] }));
    expect(types.get('article').renamedFrom).toBe('old');
    expect(types.get('article').field.get('a')?.renamedFrom).toBe('b');
  });
});

describe('many faults', () => {
  test('all faults of all definitions are told at once, each in its file', () => {
    const { faults = [] } = check(
      article({
        kind: 'x',
        nonsense: 1,
        fields: [
          { name: 'a', field_type: 'txt' },
          { name: 'b', field_type: 'text', default: 1 },
        ],
      }),
      { ...author, api: { list: { access: 'all' }, create: { cache: true } } },
    );
    expect(faults.map(({ file, path }) => `${file} ${path}`).toSorted()).toEqual([
      '0 fields[0].field_type',
      '0 fields[1].default',
      '0 kind',
      '0 nonsense',
      '1 api.create.cache',
      '1 api.list.access',
    ]);
  });

  test('more than the schema library reports by itself', () => {
    const fields = Array.from({ length: 300 }, (_, index) => ({ name: `f${index}`, field_type: 'text', oops: 1 }));
    expect(faultsOf(article({ fields }))).toHaveLength(300);
  });

  test('what follows from a fault is not told as another', () => {
    const faults = faultsOf(
      article({
        fields: [
          { name: 'status', field_type: 'enumm' },
          { name: 'writer', ...relation('many_to_one', 'nobody') },
        ],
        api: { list: { filter: 'status = "x" && writer.name = "y"', fields: ['status', 'writer'] } },
      }),
    );
    expect(faults.map(({ path }) => path)).toEqual(['fields[0].field_type', 'fields[1].relation.target']);
  });

  test('a reference to a definition that cannot be read is no fault', () => {
    expect(faultsOf(withField(relation('many_to_one', 'authors')), 'nonsense').map(({ path }) => path)).toEqual(['']);
  });

  test('a rule is shown with a caret under its fault', () => {
    const { faults = [] } = check(
      article({ fields: [{ name: 'a', field_type: 'text' }], api: { list: { filter: 'a = "x" && nosuch = 1' } } }),
    );
    const [rule, caret] = faults[0]?.excerpt?.split('\n') ?? [];
    expect(rule?.trim()).toBe('a = "x" && nosuch = 1');
    expect(caret?.indexOf('^')).toBe(rule?.indexOf('nosuch'));
  });
});

describe('content types', () => {
  const one = (definition: Part, ...others: readonly Part[]): ContentType =>
    definitionsOf(definition, ...others).get(String(definition.singular));

  test('defaults of a collection', () => {
    const type = one({ singular: 'note', plural: 'notes' });
    expect(type).toMatchObject({
      name: 'note',
      kind: 'collection',
      restful: true,
      table: 'cms_note',
      source: 'definition-1',
    });
    expect(type.fields.map(({ name }) => name)).toEqual(['id']);
    expect(Object.entries(type.endpoints).map(([name, { access }]) => [name, access])).toEqual([
      ['list', 'public'],
      ['get', 'public'],
      ['create', 'member'],
      ['update', 'member'],
      ['delete', 'admin'],
    ]);
    expect(type.endpoints.list).toMatchObject({ filter: null, filterAuth: null, cache: false, fields: null });
  });

  test('a single type needs no plural and has only its own routes open', () => {
    const type = one({ singular: 'settings', kind: 'single', api: { get: { access: 'member', cache: true } } });
    expect([type.plural, type.kind]).toEqual(['settings', 'single']);
    expect(Object.values(type.endpoints).map(({ access }) => access)).toEqual([
      'none',
      'member',
      'none',
      'member',
      'none',
    ]);
  });

  test('a field keeps its traits, and its default in canonical form', () => {
    const type = one({
      singular: 'note',
      plural: 'notes',
      fields: [
        {
          name: 'price',
          field_type: 'decimal',
          default: '01.50',
          min: 1,
          required: true,
          label: 'Price',
          description: 'd',
        },
        { name: 'big', field_type: 'bigint', default: 7, unique: true },
        { name: 'at', field_type: 'datetime', default: '2026-11-21T10:00:00+01:00', private: true, immutable: true },
        { name: 'none', field_type: 'text', default: null },
      ],
    });
    expect(type.field.get('price')).toMatchObject({
      default: '1.5',
      required: true,
      label: 'Price',
      description: 'd',
      options: { min: 1 },
    });
    expect(type.field.get('big')).toMatchObject({ default: '7', unique: true });
    expect(type.field.get('at')).toMatchObject({ default: '2026-11-21T09:00:00.000Z', private: true, immutable: true });
    expect(type.field.get('none')?.default).toBeUndefined();
  });

  test('relations are placed, by plural or singular, also on their own type', () => {
    const types = definitionsOf(
      {
        singular: 'post',
        plural: 'posts',
        fields: [
          { name: 'author', ...relation('many_to_one', 'author') },
          { name: 'cover', ...relation('one_to_one', 'posts') },
          { name: 'tags', ...relation('many_to_many', 'tags'), required: true },
          { name: 'parent', ...relation('many_to_one', 'posts') },
          { name: 'children', ...relation('one_to_many', 'post', { mapped_by: 'parent' }) },
        ],
      },
      { ...author, fields: [{ name: 'posts', ...relation('one_to_many', 'posts') }] },
      { singular: 'tag', plural: 'tags' },
    );
    const places = types.all.flatMap(({ fields }) => fields.slice(1).map((field) => field.place));
    expect(places).toEqual([
      { shape: 'to_one', column: 'author', target: 'author' },
      { shape: 'to_one', column: 'cover', target: 'post' },
      { shape: 'to_many', junction: 'cms_post$tags', target: 'tag' },
      { shape: 'to_one', column: 'parent', target: 'post' },
      { shape: 'mirror', target: 'post', mappedBy: 'parent' },
      { shape: 'mirror', target: 'post', mappedBy: 'author' },
    ]);
    const post = types.get('post');
    expect(post.field.get('cover')?.unique).toBe(true);
    expect(post.field.get('children')?.writable).toBe(false);
    expect(post.field.get('tags')?.required).toBe(true);
  });

  test('names of junction tables stay apart within 63 bytes', () => {
    const long = 'x'.repeat(48);
    const fields = ['a', 'b'].map((end) => ({ name: `${long}${end}`, ...relation('many_to_many', `${long}_s`) }));
    const type = one({ singular: long, plural: `${long}_s`, fields });
    const names = type.fields.flatMap(({ place }) => (place.shape === 'to_many' ? [place.junction] : []));
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toHaveLength(63);
  });

  test('a rule scope has every shape of field and follows circles', () => {
    const types = definitionsOf(
      {
        singular: 'post',
        plural: 'posts',
        protocols: ['metaable', 'ownable'],
        fields: [
          { name: 'author', ...relation('many_to_one', 'authors') },
          { name: 'tags', ...relation('many_to_many', 'authors') },
          { name: 'pin', field_type: 'password' },
          { name: 'views', field_type: 'bigint' },
        ],
        api: { list: { filter: 'author.posts:length > 1 && created_by = @request.auth.id && __meta.a = "b"' } },
      },
      { ...author, fields: [{ name: 'posts', ...relation('one_to_many', 'posts') }] },
    );
    const { scope, endpoints } = types.get('post');
    expect(scope).toMatchObject({ type: 'post', table: 'cms_post' });
    expect(scope.field('id')).toEqual({ shape: 'scalar', kind: 'text', column: 'id' });
    expect(scope.field('views')).toEqual({ shape: 'scalar', kind: 'bigint', column: 'views' });
    expect(scope.field('__meta')).toEqual({ shape: 'json', column: '__meta' });
    expect(scope.field('pin')).toMatchObject({ shape: 'unusable' });
    expect(scope.field('tags')).toEqual({
      shape: 'to_many',
      type: 'author',
      table: 'cms_post$tags',
      column: 'source_id',
    });
    const target = scope.field('author');
    expect(target?.shape === 'to_one' ? target.target() : undefined).toBe(types.get('author').scope);
    expect(types.get('author').scope.field('posts')).toEqual({
      shape: 'to_many',
      type: 'post',
      table: 'cms_post',
      column: 'author',
    });
    expect(scope.field('nosuch')).toBeUndefined();
    expect([...(endpoints.list.filter?.reads.fields ?? [])].toSorted()).toEqual(['__meta', 'author', 'created_by']);
  });

  test('a whitelist always has the id', () => {
    const type = one({ singular: 'note', plural: 'notes', api: { list: { fields: [] } } });
    expect([...(type.endpoints.list.fields ?? [])]).toEqual(['id']);
  });

  test('readable fields: admins see all but secrets, the public what is neither private nor outside the whitelist', () => {
    const type = one({
      singular: 'note',
      plural: 'notes',
      fields: ['a', 'b', 'c', 'd'].map((name) => ({
        name,
        field_type: name === 'd' ? 'password' : 'text',
        private: name === 'c',
      })),
      api: { list: { fields: ['b'] } },
    });
    const names = (view: Parameters<typeof readableFields>[1]) => readableFields(type, view).map(({ name }) => name);
    expect(names('admin')).toEqual(['id', 'a', 'b', 'c']);
    expect(names('get')).toEqual(['id', 'a', 'b']);
    expect(names('list')).toEqual(['id', 'b']);
  });

  test('types are found by singular, and are frozen', () => {
    const types = definitionsOf(author);
    expect(types.find('author')).toBe(types.get('author'));
    expect(types.find('authors')).toBeUndefined();
    expect(() => types.get('nobody')).toThrow('no content type nobody');
    expect(Object.isFrozen(types.get('author')) && Object.isFrozen(types.all)).toBe(true);
    expect(types.get('author').fields.every((field) => Object.isFrozen(field))).toBe(true);
  });
});
