import type { Executor, Transaction } from '../../database/database.ts';
import type { RestoredRecord } from '../../records/restore-record.ts';
import { isMedia } from './media-facts.ts';
import type { ReadImport } from './read-import.ts';
import { placeOf, type StagedRecord } from './record-staging.ts';

/** What keeps a record from being stored that is no error: it is there already, or its single type has its one record. */
export type Standing = { readonly kind: 'before' | 'single' };

/** Undefined: nothing does. */
export async function standing(
  { restorer, entries }: ReadImport,
  executor: Executor,
  { type: singular, entry }: StagedRecord,
  record: RestoredRecord,
): Promise<Standing | undefined> {
  const { type, id } = record;
  // Under the id that an earlier import gave it, where the file gives none.
  const known = entry === null ? id : await entries.find(executor, { type: singular, entry });
  if (known !== undefined && (await restorer.exists(executor, type, known))) return { kind: 'before' };
  return type.kind === 'single' && (await restorer.any(executor, record)) ? { kind: 'single' } : undefined;
}

/** Notes the id of a record to which its file gives none, in the transaction that stores it. */
export async function noteEntry(
  { entries }: ReadImport,
  transaction: Transaction,
  { type, entry }: StagedRecord,
  { id }: RestoredRecord,
): Promise<void> {
  if (entry !== null) await entries.note(transaction, { type, entry }, id);
}

/** Makes a file of the import that of a record of media, in the transaction that stores the record. */
export async function claimFile(
  { fileImport }: ReadImport,
  transaction: Transaction,
  { type, changes }: RestoredRecord,
): Promise<void> {
  const hash = type.field.get('hash');
  if (fileImport !== undefined && isMedia(type) && hash !== undefined)
    await fileImport.claim(transaction, changes.values.get(hash));
}

/** Counts a record that is stored, or would be. */
export function countTaken({ types, tally, source }: ReadImport, staged: StagedRecord): void {
  const { plural } = types.get(staged.type);
  tally.taken(plural);
  if (staged.entry !== null && source === undefined)
    tally.changed(plural, 'new id, because the file gives none', placeOf(staged));
}

/** Counts a record that is not stored. */
export function countStanding({ types, tally }: ReadImport, staged: StagedRecord, { kind }: Standing): void {
  const { plural } = types.get(staged.type);
  if (kind === 'before') tally.before(plural);
  else tally.skipped(plural, 'it is a single type, and has its one record already', placeOf(staged));
}
