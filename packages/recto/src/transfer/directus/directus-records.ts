import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { ownName } from '../importers/foreign-names.ts';
import {
  ByLanguage,
  ForeignBlock,
  type ForeignFile,
  ForeignRef,
  type ForeignValue,
} from '../importers/foreign-value.ts';
import type { ForeignRecord } from '../importers/importer.ts';
import { itemName, type Mapped, type MappedCollection } from './directus-mapping.ts';
import type { DirectusSource } from './directus-source.ts';
import { BadValue, idIn, momentOf, plainValue } from './directus-value.ts';

export interface RecordParts {
  readonly source: DirectusSource;
  readonly main: string | undefined;
  fileOf(id: string): ForeignFile | undefined;
}

/** The type by which relations name accounts. */
export const usersType = 'directus_users';

/** The records of a collection. */
export async function* recordsOf(mapping: MappedCollection, parts: RecordParts): AsyncGenerator<ForeignRecord> {
  const { collection } = mapping;
  for await (const { line, values: row } of parts.source.rows(collection.name)) {
    const id = String(row[collection.key] ?? '1');
    const errors: string[] = [];
    const record = new RecordValues(mapping, parts, row, id);
    const values: Record<string, ForeignValue> = {};
    for (const each of mapping.mapped) {
      try {
        const value = record.value(each);
        if (value !== null || each.definition !== undefined) values[each.from] = value;
      } catch (error) {
        if (!(error instanceof BadValue)) throw error;
        errors.push(`${each.to}: ${error.message}`);
      }
    }
    const created = mapping.mapped.find(({ to, definition }) => to === 'created_at' && definition === undefined);
    yield { id, line, createdAt: created && momentOf(row[created.from]), values, errors };
  }
}

class RecordValues {
  readonly #mapping: MappedCollection;
  readonly #parts: RecordParts;
  readonly #row: Table;
  readonly #id: string;
  #rows: readonly Table[] | undefined;

  constructor(mapping: MappedCollection, parts: RecordParts, row: Table, id: string) {
    this.#mapping = mapping;
    this.#parts = parts;
    this.#row = row;
    this.#id = id;
  }

  value(mapped: Mapped): ForeignValue {
    const { source } = mapped;
    switch (source.kind) {
      case 'column':
        return mapped.isTranslated ? this.#inLanguages(mapped) : this.#column(mapped, this.#row, this.#collection);
      case 'many':
        return this.#inner(source.inverse, mapped.from).flatMap((row): readonly ForeignValue[] => {
          const id = idIn(row[source.inverse.field]);
          if (id === undefined) return [];
          if (source.inverse.related !== 'directus_files') return [new ForeignRef(source.inverse.related, id)];
          return [this.#parts.fileOf(id) ?? null].filter((file) => file !== null);
        });
      case 'blocks':
        return this.#inner(source.inverse, mapped.from).flatMap((row): readonly ForeignBlock[] => {
          const { inverse, extra } = source;
          const [kind, id] = [row[inverse.collectionField], idIn(row[inverse.field])];
          if (typeof kind !== 'string' || id === undefined || !inverse.allowed.includes(kind)) return [];
          const values = extra.map((each) => [each.to, this.#column(each, row, inverse.collection)] as const);
          const item = { [itemName]: new ForeignRef(kind, id), ...Object.fromEntries(values) };
          return [new ForeignBlock(ownName(kind, 'block'), `${inverse.collection}/${String(row.id)}`, item)];
        });
      default:
        return source satisfies never;
    }
  }

  get #collection(): string {
    return this.#mapping.collection.name;
  }

  /** Rows that are in the record, or in a file of their own. */
  #inner(
    { collection, parent }: { readonly collection: string; readonly parent: string },
    field: string,
  ): readonly Table[] {
    const own: JsonValue = this.#row[field] ?? null;
    const inside = Array.isArray(own) ? own.filter(isTable) : [];
    return inside.length > 0 ? inside : this.#parts.source.inner(collection, parent, this.#id);
  }

  #column({ from, source, definition }: Mapped, row: Table, collection: string): ForeignValue {
    const value = row[from];
    const type = source.kind === 'column' ? source.type : '';
    if (type !== 'relation' && type !== 'media')
      return plainValue(value, definition ?? { field_type: type }, (id) => this.#parts.fileOf(id));
    const related = this.#parts.source.schema.relations.find(
      (each) => each.collection === collection && each.field === from,
    );
    const id = idIn(value);
    if (id === undefined || related?.related === undefined) return null;
    return type === 'media' ? (this.#parts.fileOf(id) ?? null) : new ForeignRef(related.related, id);
  }

  /** What the record says itself is the main language, unless its translations say that as well. */
  #inLanguages(mapped: Mapped): ForeignValue {
    const { translations, status } = this.#mapping;
    const { main } = this.#parts;
    if (translations === undefined || main === undefined) return this.#column(mapped, this.#row, this.#collection);
    this.#rows ??= this.#translationRows();
    const isStatus = mapped.to === 'status' && mapped.definition === undefined;
    const values = new Map<string, ForeignValue>();
    const own = this.#column(mapped, this.#row, this.#collection);
    if (mapped.from in this.#row) values.set(main, own);
    for (const row of this.#rows) {
      const language = idIn(row[translations.language], 'code');
      if (language === undefined) continue;
      const said = this.#column(mapped, row, translations.collection);
      if (isStatus) values.set(language, statusIn(own, said, status?.values ?? []));
      // What the record says itself in the main language stays.
      else if (said !== null && said !== '' && (language !== main || isNothing(own))) values.set(language, said);
    }
    return new ByLanguage(values);
  }

  #translationRows(): readonly Table[] {
    const { translations, collection } = this.#mapping;
    const field = collection.fields.find(({ special }) => special.includes('translations'))?.name ?? '';
    return translations === undefined ? [] : this.#inner(translations, field);
  }
}

const isNothing = (value: ForeignValue): boolean => value === null || value === '';

/** A language is published where it and its record are; a status that is not known is not. */
function statusIn(own: ForeignValue, said: ForeignValue, values: readonly string[]): ForeignValue {
  if (own !== 'published') return own;
  return typeof said === 'string' && values.includes(said) ? said : (closedStatus(values) ?? own);
}

/** A status that is not the published one. */
export const closedStatus = (values: readonly string[]): string | undefined =>
  values.find((value) => value === 'draft') ?? values.find((value) => value !== 'published');
