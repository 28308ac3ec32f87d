import { magazine } from '../magazine.ts';

const field = (name: string, field_type: string, more: object = {}) => ({ name, field_type, ...more });
const relation = (name: string, relation_type: string, target: string, more: object = {}) =>
  field(name, 'relation', { relation: { relation_type, target }, ...more });

const every = ['list', 'get', 'create', 'update', 'delete'] as const;
const all = (options: object) => Object.fromEntries(every.map((name) => [name, options]));

const inside = [
  field('label', 'text', { required: true, max_length: 30 }),
  field('price', 'decimal'),
  field('serial', 'bigint'),
  field('moment', 'datetime'),
  field('colour', 'enum', { enum_values: ['red', 'green'], default: 'red' }),
  field('hidden', 'text', { private: true }),
  relation('keeper', 'many_to_one', 'authors'),
];

/** Fields with fields inside them. */
const structured = [
  field('plate', 'group', { fields: [...inside, field('deeper', 'group', { fields: inside.slice(1) })] }),
  field('marks', 'list', { item: { field_type: 'text', max_length: 10 }, max_items: 5 }),
  field('keepers', 'list', {
    item: { field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
  }),
  field('rows', 'list', { fields: inside, min_items: 1, max_items: 3 }),
  field('sheet', 'blocks', {
    max_items: 4,
    blocks: [
      { name: 'note', fields: inside },
      { name: 'pair', label: 'Pair', fields: [field('parts', 'list', { fields: inside.slice(1) })] },
    ],
  }),
];

/** Every field type, plain and with bounds; `metaable`. */
export const specimen = {
  singular: 'specimen',
  plural: 'specimens',
  description: 'Everything that a field can be.',
  protocols: ['timestampable', 'ownable', 'lockable', 'metaable'],
  fields: [
    field('label', 'text', { required: true, max_length: 30 }),
    field('code', 'text', { unique: true, min_length: 2, max_length: 12, pattern: '^[A-Z]+$' }),
    field('notes', 'richtext'),
    field('amount', 'integer'),
    field('grade', 'integer', { required: true, min: 1, max: 5 }),
    field('serial', 'bigint'),
    field('big', 'bigint', { min: 0, max: '9000000000000000000' }),
    field('price', 'decimal'),
    field('rate', 'decimal', { min: 0, max: 1 }),
    field('weight', 'float'),
    field('share', 'float', { min: 0, max: 1 }),
    field('live', 'boolean', { required: true, default: false }),
    field('day', 'date'),
    field('season', 'date', { min: '2000-01-01', max: '2099-12-31' }),
    field('moment', 'datetime'),
    field('opens', 'time'),
    field('contact', 'email'),
    field('colour', 'enum', { enum_values: ['red', 'green', 'blue'], required: true }),
    field('slug', 'uid', { target_field: 'label' }),
    field('handle', 'uid'),
    field('extra', 'json'),
    field('picture', 'media'),
    ...structured,
    field('secret', 'text', { private: true }),
    field('born', 'text', { immutable: true, description: 'Set once.' }),
    relation('parent', 'many_to_one', 'specimens'),
    relation('keeper', 'many_to_one', 'authors', { required: true }),
    relation('twin', 'one_to_one', 'authors'),
    relation('labels', 'many_to_many', 'topics', { required: true }),
    relation('others', 'many_to_many', 'topics'),
  ],
  api: { create: { access: 'public' }, list: { cache: true }, get: { fields: ['label', 'grade', 'labels'] } },
};

/** Simple route mode; a rule that reads a parameter; an update must name its version. */
export const ticket = {
  singular: 'ticket',
  plural: 'tickets',
  api_restful: false,
  protocols: [{ name: 'lockable', required: true }],
  fields: [field('title', 'text', { required: true }), field('team', 'text'), field('weight', 'integer')],
  api: {
    list: { filter: '@request.query.of_team = null || team = @request.query.of_team' },
    update: { filter: 'weight != 99 && @request.query.reason != "none"' },
    create: { filter: 'weight != 99 && @request.query.reason != "none"' },
    delete: { access: 'member', filter: 'weight != 98 && @request.query.sure != "no"' },
  },
};

export const archive = {
  singular: 'archive',
  plural: 'archives',
  fields: [field('title', 'text')],
  api: all({ access: 'none' }),
};

/** A single type whose record rules hide. */
export const preference = {
  singular: 'preference',
  plural: 'preferences',
  kind: 'single',
  fields: [field('theme', 'text', { default: 'plain', required: true }), field('open', 'boolean', { default: false })],
  api: {
    get: { filter: 'open = true', filter_auth: 'open != true' },
    update: { access: 'public', filter_auth: '@request.auth.role = "admin"' },
  },
};

/** Its password is stored and never returned. */
export const vault = {
  singular: 'vault',
  plural: 'vaults',
  fields: [field('name', 'text'), field('key', 'password')],
};

/** Deleted by a mark, in states, until a time. */
export const relic = {
  singular: 'relic',
  plural: 'relics',
  protocols: ['soft_deletable', 'statusable', 'expirable'],
  fields: [field('title', 'text')],
};

/** In an order that editors set. */
export const step = { singular: 'step', plural: 'steps', protocols: ['sortable'], fields: [field('title', 'text')] };

/** Below one another. */
export const branch = {
  singular: 'branch',
  plural: 'branches',
  protocols: ['nestable'],
  fields: [field('title', 'text')],
};

/** Whose versions are kept. */
export const scroll = {
  singular: 'scroll',
  plural: 'scrolls',
  protocols: ['versionable', 'soft_deletable'],
  fields: [field('title', 'text'), field('slug', 'uid', { target_field: 'title' })],
};

/** Whose next versions are drafted. */
export const play = {
  singular: 'play',
  plural: 'plays',
  protocols: [{ name: 'versionable', drafts: true }, 'statusable'],
  fields: [field('title', 'text'), field('slug', 'uid', { target_field: 'title' })],
};

/** A single record whose versions are kept. */
export const motto = {
  singular: 'motto',
  plural: 'mottos',
  kind: 'single',
  protocols: ['versionable'],
  fields: [field('title', 'text', { required: true })],
};

/** Every field type and every protocol at once. */
export const marvel = {
  singular: 'marvel',
  plural: 'marvels',
  protocols: [
    'timestampable',
    'ownable',
    'lockable',
    'metaable',
    'soft_deletable',
    { name: 'versionable', drafts: true },
    'sortable',
    'expirable',
    'nestable',
    { name: 'statusable', schedule: 'published' },
    'tenantable',
    'assignable',
  ],
  fields: specimen.fields
    .filter(({ name }) => name !== 'parent')
    .map((each) => ({ ...each, required: each.name === 'label' })),
  api: { list: { fields: ['label', 'colour', 'keeper', 'labels', 'position'] }, create: { access: 'member' } },
};

export const openApiTypes = async (): Promise<readonly unknown[]> => [
  ...(await magazine()),
  specimen,
  ticket,
  archive,
  preference,
  vault,
  relic,
  step,
  branch,
  scroll,
  play,
  motto,
  marvel,
];
