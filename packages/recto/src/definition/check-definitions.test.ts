import { describe, expect, test } from 'bun:test';
import { definitionsOf } from '../../../../test/support/definitions.ts';
import type { ContentType } from './content-type.ts';
import {
  article,
  author,
  check,
  type FaultCase,
  faultsOf,
  type Part,
  relation,
  testFaults,
  withField,
} from './definition-faults.fixture.ts';
import { readableFields } from './readable-fields.ts';
import { type ViewName, viewNamed } from './rights/read-view.ts';

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
    message: /never returned/,
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

describe('errors of types, protocols and endpoints', () => testFaults(ofTypes));

describe('many errors', () => {
  test('all errors of all definitions are reported at once, each in its file', () => {
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

  test('what follows from an error is not reported as another', () => {
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

  test('what does not follow from it is', () => {
    const broken = { name: 'status', field_type: 'enumm' };
    const rule = (source: string) => article({ fields: [broken], api: { list: { filter: source } } });
    const paths = (...definitions: readonly unknown[]) => faultsOf(...definitions).map(({ path }) => path);
    const both = ['fields[0].field_type', 'api.list.filter'];
    expect(paths(rule('status = "x" &&'))).toEqual(both);
    expect(paths(rule('nosuch = "status"'))).toEqual(both);
    expect(paths(rule('nosuch = 1 || status = 1'))).toEqual(both);
    const other = {
      singular: 'other',
      plural: 'others',
      fields: [{ name: 'article', ...relation('many_to_one', 'articles') }],
    };
    const api = { list: { filter: 'status = 1', fields: ['status'] }, get: { filter: 'article.status = 1' } };
    expect(paths(article({ fields: [broken] }), { ...other, api })).toEqual([
      'fields[0].field_type',
      'api.list.filter',
      'api.list.fields[0]',
    ]);
  });

  test('a reference to a definition that cannot be read is no error', () => {
    expect(faultsOf(withField(relation('many_to_one', 'authors')), 'nonsense').map(({ path }) => path)).toEqual(['']);
  });

  test('a rule is shown with a caret under its error', () => {
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
      { shape: 'inverse', target: 'post', mappedBy: 'parent' },
      { shape: 'inverse', target: 'post', mappedBy: 'author' },
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
    expect(scope.field('id')).toMatchObject({ shape: 'scalar', kind: 'text', column: 'id' });
    expect(scope.field('views')).toMatchObject({ shape: 'scalar', kind: 'bigint', column: 'views' });
    expect(scope.field('__meta')).toEqual({ shape: 'json', column: '__meta' });
    expect(scope.field('pin')).toMatchObject({ shape: 'unusable' });
    expect(scope.field('tags')).toMatchObject({
      shape: 'to_many',
      type: 'author',
      table: 'cms_post$tags',
      column: 'source_id',
      linkedBy: 'target_id',
    });
    const target = scope.field('author');
    expect(target?.shape === 'to_one' ? target.target() : undefined).toBe(types.get('author').scope);
    expect(types.get('author').scope.field('posts')).toMatchObject({
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
    const names = (view: ViewName) => readableFields(type, viewNamed(view)).map(({ name }) => name);
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

test('names that every object of the language has are unknown names, like any other', () => {
  const faults = faultsOf({
    content_type: { singular: 'note', plural: 'notes', constructor: 1, implements: ['timestampable'] },
    fields: {
      text: { type: 'text', valueOf: 1 },
      odd: { type: 'constructor' },
      owner: { type: 'relation', relation_type: 'toString', target: 'users' },
    },
  });
  expect(faults.map(({ path }) => path).filter((path) => !path.startsWith('api.'))).toEqual([
    'content_type.constructor',
    'fields.text.valueOf',
    'fields.odd.type',
    'fields.owner.relation_type',
  ]);
});
