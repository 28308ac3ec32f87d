import type { UniqueSet } from '../../definition/content-type.ts';
import type { FieldStorages, UniqueSetStorage } from '../storage/type-storage.ts';
import { counted, misfitsText } from './schema-note.ts';
import type { Misfits } from './stored-facts.ts';
import type { TypePlanning } from './type-planning.ts';

/** All columns of a set's index. */
export const columnsOfSet = ({ columns, within }: UniqueSetStorage): readonly string[] =>
  within === undefined ? columns : [within, ...columns];

export const setKey = (set: UniqueSetStorage): string => `${set.within ?? ''}:${set.columns.join()}`;

/** Checks what is stored against the sets that a definition adds, and notes those that come and go. `present` is what there is. */
export async function planUniqueSets(
  planner: TypePlanning,
  stored: readonly UniqueSetStorage[],
  present: FieldStorages,
): Promise<void> {
  const { uniqueSets = [], partition, field } = planner.type;
  const before = new Map(stored.map((set) => [laterNames(set, planner), set.within]));
  for (const set of uniqueSets) {
    const names = namesOf(set);
    const within = before.get(names);
    // What differs among all records does so within any part of them.
    const isKnown = before.delete(names) && (within === undefined || within === partition);
    if (!isKnown) await planNewSet(planner, set, partition, present);
  }
  for (const names of before.keys()) {
    const isGone = names.split(', ').some((name) => !field.has(name));
    if (!isGone) planner.note('start', `${names} are no longer unique together`);
  }
}

const namesOf = (set: UniqueSet): string => set.map(({ name }) => name).join(', ');

/** The fields of a stored set, by their names in the definition. A field's column has its name. */
function laterNames({ columns }: UniqueSetStorage, { type }: TypePlanning): string {
  const later = new Map(type.fields.map(({ name, renamedFrom }) => [renamedFrom, name]));
  return columns.map((column) => (type.field.has(column) ? column : (later.get(column) ?? column))).join(', ');
}

async function planNewSet(
  planner: TypePlanning,
  set: UniqueSet,
  partition: string | null,
  present: FieldStorages,
): Promise<void> {
  const names = namesOf(set);
  const columns = await storedColumns(planner, set, present);
  if (columns === 'junction') {
    planner.refuse(
      `${names} are defined as unique together, but one of them is stored as a relation to many`,
      'make it a relation to one first, without the set',
    );
    return;
  }
  if (columns === 'empty') return planner.note('start', `${names} are unique together; no record has all of them`);
  const { facts } = planner.around;
  const table = planner.tableNow;
  if (columns.length === 0) return planDefaults(planner, names);
  const isThere = partition !== null && (await facts.columns(table)).has(partition);
  const sharing = await facts.sharing(table, columns, isThere ? partition : undefined);
  const records = await facts.records(table);
  if (sharing.count > 0) return planner.refuse(...refusal(names, sharing, records));
  const filled = await facts.filledTogether(table, columns);
  if (filled === 0) planner.note('start', `${names} are unique together; no record has all of them`);
  else
    planner.note('apply', `${names} become unique together; their values in ${counted(filled, 'record')} all differ`);
}

/** All fields of the set are new, and every record gets their defaults. */
async function planDefaults(planner: TypePlanning, names: string): Promise<void> {
  const records = await planner.around.facts.records(planner.tableNow);
  if (records < 2) return planner.note('start', `${names} are unique together`);
  planner.refuse(
    `${names} are defined as unique together, but ${records} records would have the same defaults`,
    'add the fields first, without the set or a default',
  );
}

const refusal = (names: string, sharing: Misfits, records: number): [string, string] => [
  `${names} are defined as unique together, but others have the same in ${misfitsText(sharing, records, 'record')}`,
  'make them differ first, or leave the set out',
];

/**
 * The columns that hold a set's values before anything is done. Of new fields, those without a default have no values, and so no
 * record has all of the set; those with one have the same in all records, and make no difference.
 */
async function storedColumns(
  planner: TypePlanning,
  set: UniqueSet,
  present: FieldStorages,
): Promise<readonly string[] | 'empty' | 'junction'> {
  const columns: string[] = [];
  for (const { name, renamedFrom, place } of set) {
    const own = present[name];
    const former = renamedFrom === undefined ? undefined : present[renamedFrom];
    const storage = own === undefined || (await isEmptied(planner, own, former)) ? (former ?? own) : own;
    if (storage?.shape === 'to_many') return 'junction';
    if (storage !== undefined) columns.push(storage.column);
    else if (place.shape !== 'column' || planner.type.field.get(name)?.default === undefined) return 'empty';
  }
  return columns;
}

const isEmptied = async (
  { around, tableNow }: TypePlanning,
  own: FieldStorages[string],
  former: FieldStorages[string] | undefined,
): Promise<boolean> => own !== undefined && former !== undefined && (await around.facts.filled(tableNow, own)) === 0;
