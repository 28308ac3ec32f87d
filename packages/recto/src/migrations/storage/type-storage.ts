import type { ContentType, Field, UniqueSet } from '../../definition/content-type.ts';
import { targetName } from '../../definition/profile/profile-type.ts';
import { storedColumn } from '../../definition/stored-field.ts';
import type { ValueKind } from '../../values/value-kind.ts';
import { asksOf, type FieldAsks } from './field-asks.ts';
import { type LanguagesStorage, languagesStorage } from './languages-storage.ts';
import { type ListIndex, listIndexesOf } from './list-indexes.ts';
import { type StoredStructure, storedStructure } from './stored-structure.ts';

/** What the definition asked of a field's values; absent in what was remembered before this was. */
interface Asked {
  readonly asks?: FieldAsks;
}

/** How the database holds one field. */
export type FieldStorage = Asked &
  (
    | {
        readonly shape: 'column';
        readonly column: string;
        readonly kind: ValueKind;
        readonly unique: boolean;
        /** The column among whose equal values it is unique, null counted as one; absent: among all records. */
        readonly within?: string;
        /** Holds ids of files, among addresses; its records are found by the id of a file. */
        readonly files?: true;
        /** Of a structured field: how its values are made. */
        readonly structure?: StoredStructure;
        /** Its values are never returned (hashes of passwords): they can become no other type's, and no other type's can become one. */
        readonly secret?: true;
      }
    | {
        readonly shape: 'to_one';
        readonly column: string;
        readonly target: string;
        readonly unique: boolean;
        readonly within?: string;
      }
    | { readonly shape: 'to_many'; readonly junction: string; readonly target: string }
  );

/** Columns whose values no two records share all of, null being like no other. */
export interface UniqueSetStorage {
  readonly columns: readonly string[];
  /** The column among whose equal values that holds, null counted as one; absent: among all records. */
  readonly within?: string;
}

export type FieldStorages = Readonly<Record<string, FieldStorage>>;

/** How the database holds one content type. Kept as JSON, so that a later start sees what has changed. */
export interface TypeStorage {
  readonly table: string;
  readonly kind: ContentType['kind'];
  /** By name, in the order of the names. */
  readonly fields: FieldStorages;
  /** Names of the fields in the search index, in their order. */
  readonly search: readonly string[];
  /** Absent in what was remembered before there were any. */
  readonly lists?: readonly ListIndex[];
  /** Absent where there are none. */
  readonly sets?: readonly UniqueSetStorage[];
  /** Its values in other languages; absent: no field is localized. */
  readonly languages?: LanguagesStorage;
  /** Which way of making words of texts the search index was made with. */
  readonly words: number;
  /** Which form the search index was made in. Absent: the first, or there is no index. */
  readonly searchForm?: number;
}

/** To be counted up when `searchWords` gives other words for the same text: every index is then made anew. */
const wordsVersion = 1;

/** To be counted up when a database makes search indexes in another form; `SchemaDialect.oldestSearchForm` says which ones it makes anew. */
const searchForm = 2;

/** What a definition asks of the database. */
export function storageOf(type: ContentType): TypeStorage {
  const fields = type.fields
    .flatMap((field) => {
      const storage = fieldStorage(field, type.partition);
      return storage === undefined ? [] : [[field.name, storage] as const];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const languages = languagesStorage(type);
  const search = type.facts.searched.map(({ name }) => name);
  return {
    table: type.table,
    kind: type.kind,
    fields: Object.fromEntries(fields),
    search,
    lists: listIndexesOf(type),
    ...(type.uniqueSets === undefined ? {} : { sets: type.uniqueSets.map((set) => setStorage(set, type.partition)) }),
    ...(languages === undefined ? {} : { languages }),
    words: wordsVersion,
    ...(search.length === 0 ? {} : { searchForm }),
  };
}

const setStorage = (set: UniqueSet, partition: string | null): UniqueSetStorage => ({
  columns: set.flatMap((field) => storedColumn(field) ?? []),
  ...within(true, partition),
});

/** Undefined for `id`, which every table has, and for the other side of a relation, which holds nothing itself. */
function fieldStorage(field: Field, partition: string | null): FieldStorage | undefined {
  const { name, place, type, unique } = field;
  const asks = asksOf(field);
  switch (place.shape) {
    case 'column':
      if (name === 'id') return undefined;
      return {
        shape: 'column',
        column: place.column,
        kind: place.kind,
        unique: unique || type.alwaysUnique,
        ...within(unique || type.alwaysUnique, partition),
        ...(type.secret ? { secret: true } : {}),
        ...(field.structure === undefined ? {} : { structure: storedStructure(field.structure) }),
        asks,
      };
    case 'to_one':
      // The column of a field of files also holds addresses, as it did before there were files.
      if (place.media !== undefined)
        return {
          shape: 'column',
          column: place.column,
          kind: 'text',
          unique,
          ...within(unique, partition),
          ...(unique ? {} : { files: true }),
          asks,
        };
      return {
        shape: 'to_one',
        column: place.column,
        target: place.target,
        unique,
        ...within(unique, partition),
        asks,
      };
    case 'to_many':
      return { shape: 'to_many', junction: place.junction, target: place.target, asks };
    case 'inverse':
      return undefined;
  }
}

const within = (unique: boolean, partition: string | null) =>
  unique && partition !== null ? { within: partition } : {};

/** Whether values of the one are, as they are stored, values of the other. Uniqueness is another matter. */
export function sameStorage(a: FieldStorage, b: FieldStorage): boolean {
  switch (a.shape) {
    case 'column':
      return b.shape === 'column' && a.column === b.column && a.kind === b.kind && a.secret === b.secret;
    case 'to_one':
      return b.shape === 'to_one' && a.column === b.column && a.target === b.target;
    case 'to_many':
      return b.shape === 'to_many' && a.junction === b.junction && a.target === b.target;
  }
}

/** For messages: `integer`, `relation to one "author"`. */
export function describeStorage(storage: FieldStorage): string {
  switch (storage.shape) {
    case 'column':
      return storage.secret === true ? `secret ${storage.kind}` : storage.kind;
    case 'to_one':
      return `relation to one "${targetName(storage.target)}"`;
    case 'to_many':
      return `relation to many "${targetName(storage.target)}"`;
  }
}
