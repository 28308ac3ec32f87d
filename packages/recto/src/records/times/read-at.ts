import { sql } from 'kysely';
import { type Caller, isAuthenticated } from '../../base/caller.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { languageColumns, languagesTable } from '../../definition/languages/languages-table.ts';
import type { PlannedChange } from '../planned-changes.ts';
import { type KnowsUpdate, knownSchedules, scheduledUpdatesOf, settingsOf } from '../plans/tables-at.ts';
import type { Records } from '../records.ts';

/** A read of records by a caller. */
export type ReadOf<T> = (records: Records, caller: Caller) => Promise<T>;

/**
 * Reads records as they will stand at a time (canonical datetime): by their schedules, and by the changes that are planned for several of them,
 * such as scheduled releases; of both, by what the caller may know of. What is planned is made in a transaction that is undone after the read;
 * without any, nothing is written.
 */
export async function readAt<T>(records: Records, caller: Caller, at: string, read: ReadOf<T>): Promise<T> {
  const reader: Caller = { ...caller, at };
  const knows = knownSchedules(caller, records.types);
  const planned = isAuthenticated(caller) ? ((await records.planned?.until(caller, at)) ?? []) : [];
  const refused = new Set<PlannedChange>();
  for (;;) {
    const changes = planned.filter((change) => !refused.has(change));
    const [type, ...besides] = [...new Set(changes.flatMap(({ types }) => types))];
    if (type === undefined) return read(records.at(at, knows), reader);
    const found = await records.rehearse({
      type,
      besides,
      run: (transaction) =>
        readWithin({ records, transaction, changes, knows }, (own) => read(own.at(at, knows), reader)),
    });
    if ('value' in found) return found.value;
    // At its time, it would be refused: it changes nothing then.
    refused.add(found.refused);
  }
}

interface Within {
  readonly records: Records;
  readonly transaction: Transaction;
  readonly changes: readonly PlannedChange[];
  readonly knows: KnowsUpdate;
}

async function readWithin<T>(
  { records, transaction, changes, knows }: Within,
  read: (records: Records) => Promise<T>,
): Promise<{ readonly value: T } | { readonly refused: PlannedChange }> {
  for (const change of changes) {
    await applySchedules({ records, transaction, knows }, change);
    if (!(await change.run(transaction))) return { refused: change };
  }
  return { value: await read(records.within(transaction, undefined)) };
}

/** Makes the updates that records have undergone by themselves before a change of them. */
async function applySchedules(
  { records, transaction, knows }: Omit<Within, 'changes'>,
  change: PlannedChange,
): Promise<void> {
  for (const [singular, ids] of change.records) {
    const type = records.types.find(singular);
    if (type === undefined || ids.length === 0) continue;
    for (const table of [type.table, ...languageTables(type)])
      await applyTo(records, transaction, { type, table, ids, knows }, change.at);
  }
}

const languageTables = (type: ContentType): readonly string[] =>
  scheduledUpdatesOf(type).some(({ at }) => type.field.get(at)?.localized === true) ? [languagesTable(type)] : [];

interface Applied {
  readonly type: ContentType;
  readonly table: string;
  readonly ids: readonly string[];
  readonly knows: KnowsUpdate;
}

async function applyTo(
  records: Records,
  transaction: Transaction,
  { type, table, ids, knows }: Applied,
  at: string,
): Promise<void> {
  const { dialect } = records.database;
  const isOwn = table === type.table;
  const id = sql.id('t', isOwn ? 'id' : languageColumns.row);
  for (const update of scheduledUpdatesOf(type).filter((each) => knows(type, each))) {
    const settings = settingsOf(type, update, dialect, { row: 't', at }, (field) => isOwn || field.localized);
    const sets = [...settings].map(([name, value]) => sql`${sql.id(name)} = ${value}`);
    const statement = sql`update ${sql.id(table)} as t set ${sql.join(sets)} where ${id} in (${sql.join(ids.map((each) => sql`${each}`))})`;
    await transaction.run(compiledQuery(statement, dialect));
  }
}
