import type { SchemaChange } from '../../database/schema-dialect.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { languagesTable } from '../../definition/languages/languages-table.ts';
import { droppedField } from '../storage/storage-changes.ts';
import { knownFields, type RememberedType, type StoredSchema } from '../storage/stored-schema.ts';
import type { FieldStorage, FieldStorages, TypeStorage } from '../storage/type-storage.ts';
import type { TypeRenames } from './rename-plan.ts';
import { counted, type SchemaNote } from './schema-note.ts';
import type { StoredFacts } from './stored-facts.ts';
import { columnsOfSet } from './unique-set-plan.ts';

/** Which of the fields and types that are stored but not defined to drop. */
export interface UnusedDrops {
  readonly all: boolean;
  /** `article` for a type, `article.subtitle` for a field of one that is defined. */
  readonly names: readonly string[];
}

/** A type, or a field of a defined type, that the database holds and no definition has. */
export interface Unused {
  readonly type: string;
  readonly field?: string;
}

/** What is asked for by name, as `--drop` takes it. */
export const unusedName = ({ type, field }: Unused): string => (field === undefined ? type : `${type}.${field}`);

/** All that the database holds and no definition has, by the defined names of types. */
export function unusedParts(types: ContentTypes, stored: StoredSchema, renames: TypeRenames): readonly Unused[] {
  const parts: Unused[] = [];
  for (const [singular, remembered] of stored) {
    const type = types.find(renames.later.get(singular) ?? singular);
    if (type === undefined) parts.push({ type: singular });
    else if (!renames.emptied.has(singular)) {
      for (const field of unusedFields(type, remembered)) parts.push({ type: type.singular, field });
    }
  }
  return parts;
}

function unusedFields(type: ContentType, remembered: RememberedType): readonly string[] {
  const former = new Set(type.fields.map(({ renamedFrom }) => renamedFrom));
  return Object.keys(knownFields(remembered)).filter((name) => {
    const shape = type.field.get(name)?.place.shape;
    return (shape === undefined || shape === 'inverse') && !former.has(name);
  });
}

export interface UnusedPlan {
  /** Names of types to drop completely. */
  readonly removed: ReadonlySet<string>;
  /** Names of fields, by the defined type. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>;
  readonly notes: readonly SchemaNote[];
}

/** Finds what to drop among what is unused; any other name is an error. */
export async function planUnused(
  unused: readonly Unused[],
  { all, names }: UnusedDrops,
  {
    types,
    stored,
    facts,
  }: { readonly types: ContentTypes; readonly stored: StoredSchema; readonly facts: StoredFacts },
): Promise<UnusedPlan> {
  const removed = new Set<string>();
  const fields = new Map<string, Set<string>>();
  const notes: SchemaNote[] = [];
  const wanted = new Set(names);
  for (const part of unused) {
    if (!wanted.delete(unusedName(part)) && !all) continue;
    if (part.field !== undefined) fields.set(part.type, (fields.get(part.type) ?? new Set()).add(part.field));
    else {
      removed.add(part.type);
      const table = stored.get(part.type)?.storage.table ?? '';
      const records = (await facts.columns(table)).size === 0 ? 0 : await facts.records(table);
      notes.push({ way: 'apply', type: part.type, what: `is dropped, with its ${counted(records, 'record')}` });
    }
  }
  for (const name of wanted) notes.push(refusedDrop(name, unused, types));
  return { removed, fields, notes };
}

function refusedDrop(name: string, unused: readonly Unused[], types: ContentTypes): SchemaNote {
  const [type = '', field] = name.split('.');
  const defined = types.find(type);
  if (defined !== undefined && (field === undefined || defined.field.has(field))) {
    const what =
      field === undefined
        ? 'cannot be dropped while it is defined'
        : `field "${field}" cannot be dropped while it is defined`;
    return { way: 'refused', type, source: defined.source, what, remedy: 'leave it out of the definition first' };
  }
  const there = unused.length === 0 ? 'nothing is unused' : `unused are: ${unused.map(unusedName).join(', ')}`;
  const what = field === undefined ? 'is not stored' : `field "${field}" is not stored`;
  return { way: 'refused', type, what, remedy: there };
}

/** A type without the fields that refer to types which go, and what drops those fields. */
export function withoutReferences(
  remembered: RememberedType,
  removed: ReadonlySet<string>,
): { readonly kept: RememberedType; readonly drops: readonly SchemaChange[] } {
  const { storage, dormant } = remembered;
  const refers = (field: FieldStorage): boolean => field.shape !== 'column' && removed.has(field.target);
  const without = (fields: FieldStorages): FieldStorages =>
    Object.fromEntries(Object.entries(fields).filter(([, field]) => !refers(field)));
  const gone = Object.values({ ...dormant, ...storage.fields }).filter(refers);
  if (gone.length === 0) return { kept: remembered, drops: [] };
  const indexes = indexesOver(storage, gone);
  const kept = {
    ...storage,
    fields: without(storage.fields),
    ...(storage.lists === undefined ? {} : { lists: storage.lists.filter((list) => !indexes.lists.includes(list)) }),
    ...(storage.sets === undefined ? {} : { sets: storage.sets.filter((set) => !indexes.sets.includes(set)) }),
  };
  return {
    kept: { ...remembered, storage: kept, dormant: without(dormant) },
    drops: [...indexes.drops, ...gone.flatMap((field) => droppedField(storage.table, field))],
  };
}

/** The indexes over columns of these fields, which have to go before a column can. */
function indexesOver({ table, lists = [], sets = [] }: TypeStorage, fields: readonly FieldStorage[]) {
  const columns = new Set(fields.flatMap((field) => (field.shape === 'to_many' ? [] : [field.column])));
  const over = {
    lists: lists.filter((list) => list.some((column) => columns.has(column))),
    sets: sets.filter((set) => columnsOfSet(set).some((column) => columns.has(column))),
  };
  const drops: readonly SchemaChange[] = [
    ...over.lists.map((list): SchemaChange => ({ change: 'drop_list_index', table, columns: list })),
    ...over.sets.map((set): SchemaChange => ({ change: 'drop_set_index', table, columns: set.columns })),
  ];
  return { ...over, drops };
}

/** Takes a type's tables away: first all that refers to anything, so that no order among the types is needed. */
export function removedType({ storage, dormant, dormantLanguages }: RememberedType): {
  readonly references: readonly SchemaChange[];
  readonly tables: readonly SchemaChange[];
} {
  const { table } = storage;
  const relations = Object.values({ ...dormant, ...storage.fields }).filter(({ shape }) => shape !== 'column');
  return {
    references: [...indexesOver(storage, relations).drops, ...relations.flatMap((field) => droppedField(table, field))],
    tables: [
      ...(storage.languages === undefined && dormantLanguages === undefined
        ? []
        : [{ change: 'drop_table', table: languagesTable({ table }) } as const]),
      { change: 'drop_search', table },
      { change: 'drop_table', table },
    ],
  };
}
