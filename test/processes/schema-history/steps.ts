import { type Definition, type FieldDefinition, field, firstDefinitions, relation } from './content.ts';
import type { World } from './world.ts';

/** One change of the schema: of the definitions, and of all content as it should follow. */
export interface Step {
  readonly name: string;
  readonly drop?: readonly string[];
  change(definitions: Definitions): Definitions;
  model(world: World): void;
}

export type Definitions = Readonly<Record<string, Definition>>;

/** Definitions with one of them changed. */
const change =
  (name: string, to: (definition: Definition) => Definition) =>
  (definitions: Definitions): Definitions => {
    const definition = definitions[name];
    if (definition === undefined) throw new Error(`There is no definition ${name}.`);
    return { ...definitions, [name]: to(definition) };
  };

const fields =
  (to: (fields: readonly FieldDefinition[]) => readonly FieldDefinition[]) =>
  (definition: Definition): Definition => ({ ...definition, fields: to(definition.fields) });

const add = (...added: readonly FieldDefinition[]) => fields((before) => [...before, ...added]);
const without = (...names: readonly string[]) => fields((before) => before.filter(({ name }) => !names.includes(name)));

/** Options of one field: those given are set, `undefined` takes one out. */
const alter = (name: string, options: Readonly<Record<string, unknown>>) =>
  fields((before) =>
    before.map((one) => {
      if (one.name !== name) return one;
      const merged = Object.entries({ ...one, ...options }).filter(([, value]) => value !== undefined);
      // True because name and field_type are set to texts where they are set at all.
      return Object.fromEntries(merged) as FieldDefinition;
    }),
  );

const rename = (from: string, to: string) => alter(from, { name: to, renamed_from: from });

/** The type `from` under another name; relations to it by its plural follow. */
const renameType =
  (from: string, to: string) =>
  (definitions: Definitions): Definitions => {
    const { [from]: renamed, ...others } = definitions;
    if (renamed === undefined) throw new Error(`There is no definition ${from}.`);
    const all = { ...others, [to]: { ...renamed, singular: to, plural: `${to}s`, renamed_from: from } };
    const follow = (one: FieldDefinition): FieldDefinition => {
      const target = Reflect.get(Object(one.relation), 'target');
      return target === `${from}s` ? { ...one, relation: { ...Object(one.relation), target: `${to}s` } } : one;
    };
    return Object.fromEntries(
      Object.entries(all).map(([name, type]) => [name, fields((one) => one.map(follow))(type)]),
    );
  };

const all =
  (...changes: readonly ((definitions: Definitions) => Definitions)[]) =>
  (definitions: Definitions): Definitions =>
    changes.reduce((before, one) => one(before), definitions);

const leaveOut =
  (name: string) =>
  (definitions: Definitions): Definitions =>
    Object.fromEntries(Object.entries(definitions).filter(([key]) => key !== name));

const nothing = (): void => {};

const numberToText = (value: number): string => String(value);

export const steps: readonly Step[] = [
  {
    name: 'a field comes, with a default',
    change: change('article', add(field('summary', 'text', { default: 'none yet' }))),
    model: (world) => world.addField('article', 'summary', 'none yet'),
  },
  {
    name: 'a searched field gets another name',
    change: change('article', rename('title', 'headline')),
    model: (world) => world.renameField('article', 'title', 'headline'),
  },
  {
    name: 'integer becomes bigint',
    change: change('article', alter('views', { field_type: 'bigint' })),
    model: (world) => world.convert('article', 'views', numberToText),
  },
  {
    name: 'bigint becomes decimal, text becomes decimal',
    change: all(
      change('article', alter('views', { field_type: 'decimal' })),
      change('article', alter('price', { field_type: 'decimal' })),
    ),
    model: nothing,
  },
  {
    name: 'date becomes datetime',
    change: change('article', alter('published_on', { field_type: 'datetime' })),
    model: (world) => world.convert('article', 'published_on', (date: string) => `${date}T00:00:00.000Z`),
  },
  {
    name: 'enum becomes text',
    change: change('article', alter('state', { field_type: 'text', enum_values: undefined })),
    model: nothing,
  },
  {
    name: 'text becomes an enum of the values that there are',
    change: change('article', alter('state', { field_type: 'enum', enum_values: ['old', 'live', 'new'] })),
    model: nothing,
  },
  {
    name: 'a relation to one becomes one to many',
    change: change('article', alter('writer', { relation: { relation_type: 'many_to_many', target: 'authors' } })),
    model: (world) => {
      world.each('article', (values) => {
        values.writer = values.writer === null ? [] : [values.writer];
      });
    },
  },
  {
    name: 'a type that refers to itself gets another name',
    change: renameType('note', 'remark'),
    model: (world) => world.renameType('note', 'remark'),
  },
  {
    name: 'a type that others refer to gets another name',
    change: renameType('article', 'story'),
    model: (world) => world.renameType('article', 'story'),
  },
  {
    name: 'a field is left out',
    change: change('story', without('subtitle')),
    model: (world) => world.hideField('story', 'subtitle'),
  },
  {
    name: 'a protocol comes',
    change: change('story', (type) => ({ ...type, protocols: ['lockable'] })),
    model: (world) => world.addField('story', 'lock_version', null),
  },
  {
    name: 'protocols with defaults come to another type',
    change: change('tag', (type) => ({ ...type, protocols: ['nestable', 'soft_deletable'] })),
    model: (world) => {
      for (const [name, value] of Object.entries({ parent_id: null, depth: 0, position: null, deleted_at: null }))
        world.addField('tag', name, value);
    },
  },
  {
    name: 'a text gets shorter',
    change: change('story', alter('headline', { max_length: 60, min_length: 3 })),
    model: nothing,
  },
  {
    name: 'a field becomes unique and required',
    change: change('tag', alter('word', { unique: true, required: true })),
    model: nothing,
  },
  {
    name: 'a relation to many becomes one to one record',
    change: change('story', alter('writer', { relation: { relation_type: 'many_to_one', target: 'authors' } })),
    model: (world) => {
      world.each('story', (values) => {
        values.writer = Array.isArray(values.writer) ? (values.writer[0] ?? null) : null;
      });
    },
  },
  {
    name: 'a field that was left out is defined again',
    change: change('story', add(field('subtitle', 'text'))),
    model: (world) => world.showField('story', 'subtitle'),
  },
  {
    name: 'fields of two types get other names at once',
    change: all(change('story', rename('subtitle', 'tagline')), change('author', rename('name', 'full_name'))),
    model: (world) => {
      world.renameField('story', 'subtitle', 'tagline');
      world.renameField('author', 'name', 'full_name');
    },
  },
  {
    name: 'a field is dropped',
    change: change('story', without('flags')),
    drop: ['story.flags'],
    model: (world) => world.dropField('story', 'flags'),
  },
  {
    name: 'a searched field becomes private',
    change: change('story', alter('body', { private: true })),
    model: nothing,
  },
  {
    name: 'a field is no longer unique, nor required',
    change: change('tag', alter('word', { unique: undefined, required: undefined })),
    model: nothing,
  },
  {
    name: 'a single type becomes a collection',
    change: change('home', (type) => ({ ...type, kind: 'collection', plural: 'homes' })),
    model: nothing,
  },
  {
    name: 'a collection of one record becomes a single type',
    change: change('home', (type) => ({ ...type, kind: 'single' })),
    model: nothing,
  },
  {
    name: 'a protocol goes',
    change: change('story', ({ protocols: _, ...type }) => type),
    model: (world) => world.hideField('story', 'lock_version'),
  },
  {
    name: 'a type is left out, and the relation to it',
    change: all(change('story', without('tags')), leaveOut('tag')),
    model: (world) => {
      world.hideField('story', 'tags');
      world.type('tag').served = false;
    },
  },
  {
    name: 'both are defined again, and what refers to nothing comes',
    change: all(
      (definitions) => ({ ...definitions, tag: { ...firstTag, protocols: ['nestable'] } }),
      change('story', add(relation('tags', 'many_to_many', 'tags'), relation('editor', 'one_to_one', 'authors'))),
    ),
    model: (world) => {
      world.showField('story', 'tags');
      world.addField('story', 'editor', null);
      world.type('tag').served = true;
      world.hideField('tag', 'deleted_at');
    },
  },
  {
    name: 'a field gets another name and another type at once',
    change: change('story', (type) => alter('rank', { field_type: 'integer' })(rename('featured', 'rank')(type))),
    model: (world) => {
      world.renameField('story', 'featured', 'rank');
      world.convert('story', 'rank', (value: boolean) => (value ? 1 : 0));
    },
  },
  {
    name: 'integer becomes text, and another float',
    change: all(
      change('author', alter('rating', { field_type: 'text' })),
      change('tag', alter('weight', { field_type: 'float' })),
    ),
    model: (world) => world.convert('author', 'rating', numberToText),
  },
  {
    name: 'a relation to many gets another name',
    change: change('story', rename('tags', 'labels')),
    model: (world) => world.renameField('story', 'tags', 'labels'),
  },
  {
    name: 'a type is dropped',
    change: leaveOut('remark'),
    drop: ['remark'],
    model: (world) => world.types.delete('remark'),
  },
  {
    name: 'fields of a type of the product come, get other names and types',
    change: change('post', (type) =>
      add(field('stars', 'integer', { default: 2 }))(rename('seen_by', 'readers')(rename('mood', 'feeling')(type))),
    ),
    model: (world) => {
      world.renameField('post', 'mood', 'feeling');
      world.renameField('post', 'seen_by', 'readers');
      world.addField('post', 'stars', 2);
    },
  },
  {
    name: 'a type gets its first name back, richtext becomes text',
    change: all(
      renameType('story', 'article'),
      change('article', alter('body', { field_type: 'text', private: undefined })),
    ),
    model: (world) => world.renameType('story', 'article'),
  },
  {
    name: 'a new type comes, and the other side of its relation',
    change: all(
      (definitions) => ({
        ...definitions,
        review: {
          singular: 'review',
          plural: 'reviews',
          fields: [field('verdict', 'text'), relation('of', 'many_to_one', 'articles')],
        },
      }),
      change('article', add(relation('reviews', 'one_to_many', 'reviews', { mapped_by: 'of' }))),
    ),
    model: (world) => {
      world.addType('review', ['verdict', 'of']);
      world.addField('article', 'reviews', []);
    },
  },
  {
    name: 'text becomes JSON, and decimal text',
    change: all(
      change('article', alter('summary', { field_type: 'json' })),
      change('article', alter('price', { field_type: 'text' })),
    ),
    model: nothing,
  },
  {
    name: 'all that is unused is dropped',
    change: change('author', without('born')),
    drop: ['author.born', 'article.lock_version', 'tag.deleted_at', 'tag.deleted_by'],
    model: (world) => {
      world.dropField('author', 'born');
      world.dropField('article', 'lock_version');
    },
  },
];

const { tag: firstTag } = firstDefinitions as { readonly tag: Definition };

/** The definitions after so many steps. */
export function definitionsAfter(count: number): readonly Definition[] {
  const definitions = steps
    .slice(0, count)
    .reduce((before, step) => step.change(before), firstDefinitions as Definitions);
  return Object.values(definitions);
}
