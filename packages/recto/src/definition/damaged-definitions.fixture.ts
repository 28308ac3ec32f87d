import fc from 'fast-check';
import { compileRule } from '../rules/compile-rule.ts';
import { type ContentType, type ContentTypes, endpointNames } from './content-type.ts';

/** A definition as plain JSON. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const relation = (name: string, relation_type: string, target: string): Json => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
});
const field = (name: string, field_type: string, more: { [name: string]: Json } = {}): Json => ({
  name,
  field_type,
  ...more,
});

/** Rules that hold good on each of the types below. */
const rules: Readonly<Record<string, readonly string[]>> = {
  team: ['name = "red"', 'members:length > 0', '@request.auth.role = "admin"'],
  person: ['id = @request.auth.id', 'team.name = "red" && age > 17', 'team = @request.query.team', 'articles:isset'],
  tag: ['label ~ "a%"', 'id != null'],
  article: [
    'author.id = @request.auth.id',
    'author.team.name = "red" || rating >= 3',
    'tags:length > 0',
    'at < @now && state = "open"',
    'author = @request.auth.id',
    'secret = "x"',
  ],
};

const whitelists: Readonly<Record<string, readonly string[]>> = {
  team: ['name', 'members'],
  person: ['name', 'age', 'team', 'articles'],
  tag: ['label'],
  article: ['title', 'rating', 'author', 'tags', 'at', 'state'],
};

const bare: readonly { readonly [name: string]: Json }[] = [
  {
    singular: 'team',
    plural: 'teams',
    fields: [
      field('name', 'text'),
      { name: 'members', field_type: 'relation', relation: { relation_type: 'one_to_many', target: 'people' } },
    ],
  },
  {
    singular: 'person',
    plural: 'people',
    fields: [
      field('name', 'text', { max_length: 50, pattern: '^[a-z]+$' }),
      field('age', 'integer', { min: 0 }),
      relation('team', 'many_to_one', 'teams'),
      {
        name: 'articles',
        field_type: 'relation',
        relation: { relation_type: 'one_to_many', target: 'article', mapped_by: 'author' },
      },
    ],
  },
  { singular: 'tag', plural: 'tags', protocols: ['timestampable'], fields: [field('label', 'text')] },
  {
    singular: 'article',
    plural: 'articles',
    protocols: ['soft_deletable', { name: 'sortable', field: 'rating' }],
    fields: [
      field('title', 'text'),
      field('rating', 'integer', { default: 1 }),
      field('at', 'datetime'),
      field('state', 'enum', { enum_values: ['open', 'closed'], default: 'open' }),
      field('secret', 'text', { private: true }),
      relation('author', 'many_to_one', 'people'),
      relation('tags', 'many_to_many', 'tags'),
    ],
  },
];

/** A file that adds fields to a type of the product. */
export const extension: Json = {
  extends: 'page',
  fields: [field('subtitle', 'text'), relation('editor', 'many_to_one', 'people')],
};

const apiOf = (singular: string): fc.Arbitrary<Json> => {
  const rule = fc.constantFrom(...(rules[singular] ?? []));
  const endpoint = fc.record(
    {
      access: fc.constantFrom<Json[]>('none', 'public', 'member', 'admin', ['editor'], ['editor', 'member']),
      filter: rule,
      filter_auth: rule,
      // What orders the public list must be in it.
      fields: fc
        .subarray([...(whitelists[singular] ?? [])])
        .map((names) => (singular === 'article' && !names.includes('rating') ? ['rating', ...names] : names)),
    },
    { requiredKeys: [] },
  );
  const all = fc.record({ list: endpoint, get: endpoint, create: endpoint, update: endpoint }, { requiredKeys: [] });
  // True because every value in it is text or a list of texts.
  return all as fc.Arbitrary<Json>;
};

/** Right definitions that refer to one another, with rules and whitelists, and with a file that extends one or none. */
export const soundDefinitions: fc.Arbitrary<readonly Json[]> = fc
  .tuple(fc.boolean(), ...bare.map((type) => apiOf(String(type.singular)).map((api): Json => ({ ...type, api }))))
  .map(([extended, ...types]) => (extended ? [extension, ...types] : types));

const words = [
  ...['team', 'teams', 'person', 'people', 'tag', 'tags', 'article', 'articles', 'author', 'name', 'title', 'rating'],
  ...['nobody', 'nothings', 'page', 'pages', 'text', 'integer', 'relation', 'many_to_one', 'one_to_many', 'password'],
  ...['status', 'id', 'rowid', '"x"', 'true', '7', '[', 'sortable', 'tenantable', 'single'],
];

/** One thing that goes wrong with a set of definitions. */
export interface Damage {
  readonly way: 'rename' | 'reword' | 'remove' | 'replace' | 'copy' | 'drop_type' | 'retarget';
  readonly at: number;
  readonly from: number;
  readonly word: string;
  readonly value: Json;
}

export const damages: fc.Arbitrary<Damage> = fc.record({
  way: fc.constantFrom<Damage['way']>('rename', 'reword', 'remove', 'replace', 'copy', 'drop_type', 'retarget'),
  at: fc.nat(10_000),
  from: fc.nat(10_000),
  word: fc.constantFrom(...words),
  value: fc.oneof(
    fc.constantFrom<Json[]>(null, true, 3, '', 'x', [], {}),
    // True because what JSON values there are is what `Json` says.
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  ),
});

interface Place {
  readonly parent: Json[] | { [name: string]: Json };
  readonly key: string;
  readonly value: Json;
}

function placesIn(parent: Json): readonly Place[] {
  if (typeof parent !== 'object' || parent === null) return [];
  // True because it is a list or a table now.
  const inside = parent as Place['parent'];
  return Object.entries(parent).flatMap(([key, value]) => [{ parent: inside, key, value }, ...placesIn(value)]);
}

/** The definitions after the damage. */
export function damaged(definitions: readonly Json[], damage: Damage): readonly Json[] {
  const copy: Json[] = structuredClone([...definitions]);
  const all = placesIn(copy);
  const of = (test: (place: Place) => boolean): Place | undefined => {
    const found = all.filter(test);
    return found[damage.at % Math.max(1, found.length)];
  };
  const { way, word, value, from } = damage;
  switch (way) {
    case 'rename':
      put(
        of((place) => typeof place.value === 'string'),
        word,
      );
      break;
    case 'retarget':
      put(
        of(({ key }) => key === 'target'),
        word,
      );
      break;
    case 'reword': {
      const rule = of(({ key }) => key === 'filter' || key === 'filter_auth');
      if (rule !== undefined) put(rule, rewordedRule(String(rule.value), from, word));
      break;
    }
    case 'remove':
      take(of(() => true));
      break;
    case 'drop_type':
      copy.splice(damage.at % Math.max(1, copy.length), 1);
      break;
    case 'replace':
      put(
        of(() => true),
        value,
      );
      break;
    case 'copy':
      put(
        of(() => true),
        structuredClone(all[from % Math.max(1, all.length)]?.value ?? null),
      );
      break;
  }
  return copy;
}

function rewordedRule(rule: string, place: number, word: string): string {
  const parts = rule.split(/([a-z_]+|"[^"]*"|\d+)/);
  parts[place % parts.length] = word;
  return parts.join('');
}

function put(place: Place | undefined, value: Json): void {
  if (place !== undefined) Reflect.set(place.parent, place.key, value);
}

function take(place: Place | undefined): void {
  if (place === undefined) return;
  if (Array.isArray(place.parent)) place.parent.splice(Number(place.key), 1);
  else delete place.parent[place.key];
}

const isTable = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What of these definitions does not hold in the compiled types: rules, whitelists, fields and whether they are private. */
export function notEnforced(definitions: readonly unknown[], types: ContentTypes): readonly string[] {
  return definitions.flatMap((definition) => {
    const name = isTable(definition) ? (definition.extends ?? definition.singular) : undefined;
    const type = types.find(String(name));
    if (!isTable(definition) || type === undefined) return [`${JSON.stringify(definition)} is no type`];
    return [...lostFields(definition, type), ...lostRules(definition.api, type)].map((text) => `${name}: ${text}`);
  });
}

function lostFields({ fields }: { readonly [name: string]: unknown }, type: ContentType): readonly string[] {
  if (!Array.isArray(fields)) return fields === undefined ? [] : ['fields are no list'];
  return fields.flatMap((written: unknown) => {
    const made = isTable(written) ? type.field.get(String(written.name)) : undefined;
    if (!isTable(written) || made === undefined) return [`the field ${JSON.stringify(written)} is not there`];
    return made.private === (written.private ?? false) ? [] : [`${made.name} is not private`];
  });
}

function lostRules(api: unknown, type: ContentType): readonly string[] {
  if (!isTable(api)) return api === undefined ? [] : ['api is no table'];
  return Object.entries(api).flatMap(([name, written]) => {
    const known = endpointNames.find((endpoint) => endpoint === name);
    if (known === undefined || !isTable(written)) return [`api.${name} is no endpoint`];
    const endpoint = type.endpoints[known];
    const lost: string[] = [];
    for (const [option, rule] of [
      ['filter', endpoint.filter],
      ['filter_auth', endpoint.filterAuth],
    ] as const) {
      const text = written[option];
      if (text === undefined) continue;
      const meant = typeof text === 'string' ? compileRule(text, type.scope).tree : undefined;
      if (rule === null || !Bun.deepEquals(rule.tree, meant)) lost.push(`api.${name}.${option} does not hold`);
    }
    if (written.fields !== undefined) {
      const names = Array.isArray(written.fields) ? written.fields : [];
      const same = Bun.deepEquals([...(endpoint.fields ?? ['all'])].sort(), [...new Set(['id', ...names])].sort());
      if (!same) lost.push(`api.${name}.fields does not hold`);
    }
    if (written.access !== undefined && !Bun.deepEquals(written.access, endpoint.access))
      lost.push(`api.${name}.access is another`);
    return lost;
  });
}
