import { idOf, newId } from '../../base/ids.ts';
import type { Executor } from '../../database/database.ts';
import type { Breaks } from '../breaks.ts';
import type { ImportLedger } from '../import-ledger.ts';
import type { ForeignStaging, StagedId } from './foreign-staging.ts';

/** The kind of accounts in the ledger. That of records, of media too, is the singular of their type. */
export const accountKind = 'recto:account';

/** What the ledger knows an entry by: two types of a source can become one type here. */
export const entryName = (type: string, foreignId: string): string => `${type}/${foreignId}`;

/** The id of a block: the same for the same name, of version 8 (RFC 9562, section 5.8). */
export function idOfBlock(name: string): string {
  const hex = new Bun.CryptoHasher('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

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
