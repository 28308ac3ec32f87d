import { idOf, newId } from '../../base/ids.ts';
import type { Executor } from '../../database/database.ts';
import type { Breaks } from '../breaks.ts';
import type { ImportLedger } from '../import-ledger.ts';
import type { ForeignStaging, StagedId } from './foreign-staging.ts';

/** The kind of accounts in the ledger. That of records, of media too, is the singular of their type. */
export const accountKind = 'recto:account';

/** What the ledger knows an entry by: two types of a source can become one type here. */
export const entryName = (type: string, foreignId: string): string => `${type}/${foreignId}`;

const atOnce = 1_000;

/** Reads what earlier imports of the source have stored. */
export async function readLedger(
  {
    staging,
    ledger,
    breaks,
  }: { readonly staging: ForeignStaging; readonly ledger: ImportLedger; readonly breaks: Breaks },
  executor: Executor,
): Promise<void> {
  for (let page = await ledger.page(executor, undefined, atOnce); page.length > 0; ) {
    for (const { kind, external_id: entry, record_id: id } of page) staging.addEarlier(kind, entry, id);
    await breaks.next();
    page = page.length < atOnce ? [] : await ledger.page(executor, page.at(-1), atOnce);
  }
}

/** A new id, of the time of creation where that is known. */
export const newIdOf = (createdAt: string | undefined): string =>
  createdAt === undefined ? newId() : idOf(Date.parse(createdAt));

/** The id of a record: that of an earlier import, or a new one of the time when the record was created. */
export async function idFor(
  staging: ForeignStaging,
  { kind, entry, createdAt }: { readonly kind: string; readonly entry: string; readonly createdAt: string | undefined },
  exists: (id: string) => Promise<boolean>,
): Promise<StagedId> {
  const earlier = staging.earlier(kind, entry);
  if (earlier !== undefined) return { id: earlier, state: (await exists(earlier)) ? 'before' : 'gone' };
  return { id: newIdOf(createdAt), state: 'new' };
}
