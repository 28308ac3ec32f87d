import type { Table } from '../../values/json-table.ts';
import { fieldNames, Names, ownName, singularOf } from '../importers/foreign-names.ts';
import type { LeftOut } from '../importers/importer.ts';
import { choicesOf, plannedField } from './directus-field.ts';
import { type DirectusCollection, type DirectusField, type Inverse, inverseOf } from './directus-schema.ts';
import type { DirectusSource } from './directus-source.ts';

/** Where the values of a field come from. */
export type FieldSource =
  /** A column, and in other languages that of the translations. */
  | { readonly kind: 'column'; readonly type: string }
  | { readonly kind: 'many'; readonly inverse: Inverse & { readonly kind: 'many' } }
  | {
      readonly kind: 'blocks';
      readonly inverse: Inverse & { readonly kind: 'any' };
      readonly extra: readonly Mapped[];
    };

/** A field of a collection, with what becomes of it. */
export interface Mapped {
  readonly from: string;
  /** The name here. */
  readonly to: string;
  readonly source: FieldSource;
  /** Absent: a protocol has the field. */
  readonly definition?: Table;
  readonly isTranslated: boolean;
}

export interface MappedCollection {
  readonly collection: DirectusCollection;
  readonly names: { readonly singular: string; readonly plural: string };
  readonly mapped: readonly Mapped[];
  readonly translations: (Inverse & { readonly kind: 'translations' }) | undefined;
  /** The field that says the status, of a type whose records are published. */
  readonly status:
    | { readonly field: DirectusField; readonly values: readonly string[]; readonly byLanguage: boolean }
    | undefined;
  readonly leftOut: readonly LeftOut[];
}

/** What all mappings of a project share. */
export interface MappingParts {
  readonly source: DirectusSource;
  readonly hasAccounts: boolean;
  readonly names: ReadonlyMap<string, MappedCollection['names']>;
}

/** Collections whose rows belong to records of others, or name the languages. */
export function innerCollections({ schema }: DirectusSource): ReadonlySet<string> {
  const inner = new Set<string>();
  for (const collection of schema.collections.values()) {
    for (const field of collection.fields) {
      const inverse = inverseOf(schema, collection.name, field);
      if (inverse === undefined || inverse.kind === 'back') continue;
      inner.add(inverse.collection);
      if (inverse.kind !== 'translations') continue;
      const related = schema.relations.find(
        (each) => each.collection === inverse.collection && each.field === inverse.language,
      )?.related;
      if (related !== undefined) inner.add(related);
    }
  }
  return inner;
}

export function typeNames(collections: readonly DirectusCollection[]): MappingParts['names'] {
  // A type of that name would take the place of the accounts.
  const names = new Names(['user', 'users']);
  return new Map(
    collections.map(({ name }) => {
      const plural = names.take(ownName(name, 'records'), '_records');
      return [name, { plural, singular: names.take(singularOf(plural), '_item') }];
    }),
  );
}

/** Fields of rows that belong to others, which say nothing of what they belong to. */
const ofRows = ['date-created', 'date-updated', 'user-created', 'user-updated'];
const isOfRow = ({ isKey, special, name }: DirectusField): boolean =>
  isKey || name === 'sort' || special.some((each) => ofRows.includes(each));

export function mapCollection(collection: DirectusCollection, parts: MappingParts): MappedCollection {
  return new Mapping(collection, parts).map();
}

class Mapping {
  readonly #collection: DirectusCollection;
  readonly #parts: MappingParts;
  readonly #taken = fieldNames();
  readonly #leftOut: LeftOut[] = [];
  readonly #translations: MappedCollection['translations'];

  constructor(collection: DirectusCollection, parts: MappingParts) {
    this.#collection = collection;
    this.#parts = parts;
    const { schema } = parts.source;
    this.#translations = collection.fields
      .map((field) => inverseOf(schema, collection.name, field))
      .find((inverse) => inverse?.kind === 'translations');
  }

  map(): MappedCollection {
    const { fields, name } = this.#collection;
    const status = this.#status();
    if (status !== undefined) for (const each of ['status', 'scheduled_at']) this.#taken.take(each);
    const translated = this.#translatedFields();
    const own = fields.flatMap((field) => this.#field(field, status, translated.has(field.name)));
    const others = [...translated.values()]
      .filter((field) => !fields.some((each) => each.name === field.name))
      .flatMap((field) => this.#column(field, this.#translations?.collection ?? '', true));
    const names = this.#parts.names.get(name) ?? { singular: name, plural: name };
    const all = [...own, ...others];
    this.#repeated();
    return {
      ...{ collection: this.#collection, names, mapped: all, translations: this.#translations, leftOut: this.#leftOut },
      status: status && { ...status, byLanguage: status.byLanguage && all.some(({ isTranslated }) => isTranslated) },
    };
  }

  /** Directus lets a record have several translations into one language, and shows any of them. */
  #repeated(): void {
    const translations = this.#translations;
    const count = translations === undefined ? 0 : this.#parts.source.repeated(translations);
    if (translations === undefined || count === 0) return;
    const why = `${count} rows are translations into a language into which another row translates the same record: the last one is taken.`;
    this.#leftOut.push({ place: translations.collection, why });
  }

  /** The fields of the translations that say something. */
  #translatedFields(): ReadonlyMap<string, DirectusField> {
    const { schema } = this.#parts.source;
    const translations = this.#translations;
    const rows = translations && schema.collections.get(translations.collection);
    if (translations === undefined || rows === undefined) return new Map();
    const status = this.#status()?.byLanguage === true ? ['status'] : [];
    const passed = [translations.parent, translations.language, ...status];
    return new Map(
      rows.fields
        .filter((field) => !isOfRow(field) && !passed.includes(field.name) && field.type !== 'alias')
        .map((field) => [field.name, field]),
    );
  }

  #status(): MappedCollection['status'] {
    const { fields, name } = this.#collection;
    const field = fields.find((each) => each.name === 'status' && each.type === 'string');
    const evidence = this.#parts.source.evidence.get(name);
    if (field === undefined || evidence === undefined || evidence.hasEmpty('status')) return undefined;
    const values = [...choicesOf(field).keys()];
    const isKnown =
      values.includes('published') && [...evidence.values('status')].every((each) => values.includes(each));
    if (!isKnown || values.length < 2) return undefined;
    const rows = this.#parts.source.schema.collections.get(this.#translations?.collection ?? '');
    return { field, values, byLanguage: rows?.fields.some((each) => each.name === 'status') === true };
  }

  #field(field: DirectusField, status: MappedCollection['status'], isTranslated: boolean): readonly Mapped[] {
    const { name, special } = field;
    const column = { kind: 'column', type: 'datetime' } as const;
    if (field.isKey && (field.type === 'uuid' || field.type === 'integer' || field.type === 'bigInteger')) return [];
    if (special.includes('date-created'))
      return [{ from: name, to: 'created_at', source: column, isTranslated: false }];
    if (special.includes('date-updated'))
      return [{ from: name, to: 'updated_at', source: column, isTranslated: false }];
    if (name === status?.field.name)
      return [{ from: name, to: 'status', source: { kind: 'column', type: 'enum' }, isTranslated: status.byLanguage }];
    const inverse = inverseOf(this.#parts.source.schema, this.#collection.name, field);
    if (inverse !== undefined) return this.#inverse(field, inverse);
    return this.#column(field, this.#collection.name, isTranslated);
  }

  #column(field: DirectusField, collection: string, isTranslated: boolean): readonly Mapped[] {
    const { source } = this.#parts;
    const place = `${collection}.${field.name}`;
    const evidence = collection === this.#collection.name ? source.evidence.get(collection) : undefined;
    const related = source.schema.relations.find((each) => each.collection === collection && each.field === field.name);
    const planned = plannedField(field, evidence, () => this.#target(related?.related));
    if (planned === null) return this.#silent(field, place);
    if (typeof planned === 'string') return this.#without(place, planned);
    if (related !== undefined && planned.definition.relation === undefined && planned.definition.field_type !== 'media')
      return this.#without(
        place,
        `It leads to ${related.related ?? 'one of several collections'}, which is not brought in.`,
      );
    if (planned.lost !== undefined) this.#leftOut.push({ place, why: planned.lost });
    const to = this.#taken.take(ownName(field.name, 'field'), '_field');
    const isIn = isTranslated && collection !== this.#collection.name;
    const { required: _, ...optional } = planned.definition;
    // What translations alone have can be missing in any of them.
    const definition = {
      name: to,
      ...(isIn ? optional : planned.definition),
      ...(isTranslated ? { localized: true } : {}),
    };
    const type = String(planned.definition.field_type);
    return [{ from: field.name, to, source: { kind: 'column', type }, definition, isTranslated }];
  }

  /** Fields of forms that hold nothing are no loss. */
  #silent({ special }: DirectusField, place: string): readonly Mapped[] {
    return special.includes('no-data') ? [] : this.#without(place, 'It has no column and leads nowhere.');
  }

  #without(place: string, why: string): readonly Mapped[] {
    this.#leftOut.push({ place, why });
    return [];
  }

  #target(related: string | undefined): string | undefined {
    if (related === 'directus_files') return 'media';
    if (related === 'directus_users') return this.#parts.hasAccounts ? 'users' : undefined;
    return related === undefined ? undefined : this.#parts.names.get(related)?.plural;
  }

  #inverse({ name }: DirectusField, inverse: Inverse): readonly Mapped[] {
    const place = `${this.#collection.name}.${name}`;
    switch (inverse.kind) {
      case 'translations':
        return inverse === this.#translations || inverse.collection === this.#translations?.collection
          ? []
          : this.#without(place, 'A collection has one set of translations here.');
      case 'back':
        return this.#without(
          place,
          `It is the other end of ${inverse.collection}.${inverse.parent}, which has the relation.`,
        );
      case 'many': {
        const target = this.#target(inverse.related);
        if (target === undefined)
          return this.#without(place, `It leads to ${inverse.related}, which is not brought in.`);
        this.#lost(inverse.collection, [inverse.parent, inverse.field], place);
        const to = this.#taken.take(ownName(name, 'field'), '_field');
        const kind =
          target === 'media'
            ? { field_type: 'media', multiple: true }
            : { field_type: 'relation', relation: { relation_type: 'many_to_many', target } };
        return [
          { from: name, to, source: { kind: 'many', inverse }, definition: { name: to, ...kind }, isTranslated: false },
        ];
      }
      case 'any':
        return this.#blocks(name, inverse);
      default:
        return inverse satisfies never;
    }
  }

  /** The fields of a junction that say more than what leads where: a relation has no place for them. */
  #lost(collection: string, passed: readonly string[], place: string): void {
    const fields = this.#parts.source.schema.collections.get(collection)?.fields ?? [];
    for (const field of fields.filter((each) => !isOfRow(each) && !passed.includes(each.name) && each.type !== 'alias'))
      this.#leftOut.push({
        place: `${collection}.${field.name}`,
        why: `A relation such as ${place} has no fields of its own.`,
      });
  }

  #blocks(name: string, inverse: Inverse & { readonly kind: 'any' }): readonly Mapped[] {
    const passed = [inverse.parent, inverse.field, inverse.collectionField];
    const rows = this.#parts.source.schema.collections.get(inverse.collection)?.fields ?? [];
    const inside = new Mapping({ ...this.#collection, name: inverse.collection, fields: [] }, this.#parts);
    inside.#taken.take(itemName);
    const extra = rows
      .filter((field) => !isOfRow(field) && !passed.includes(field.name) && field.type !== 'alias')
      .flatMap((field) => inside.#column({ ...field, isUnique: false }, inverse.collection, false));
    this.#leftOut.push(...inside.#leftOut);
    const kinds = inverse.allowed.flatMap((collection) => {
      const target = this.#target(collection);
      if (target === undefined || target === 'media' || target === 'users') return [];
      const relation = { relation_type: 'many_to_one', target };
      const item = { name: itemName, field_type: 'relation', relation };
      return [
        { name: ownName(collection, 'block'), fields: [item, ...extra.flatMap(({ definition }) => definition ?? [])] },
      ];
    });
    if (kinds.length === 0)
      return this.#without(`${this.#collection.name}.${name}`, 'It leads to nothing that is brought in.');
    const to = this.#taken.take(ownName(name, 'blocks'), '_field');
    const definition = { name: to, field_type: 'blocks', max_items: 10_000, blocks: kinds };
    return [{ from: name, to, source: { kind: 'blocks', inverse, extra }, definition, isTranslated: false }];
  }
}

/** What a block calls the record that it shows. */
export const itemName = 'item';
