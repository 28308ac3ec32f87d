import type { Executor, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { ImportLedger } from '../import-ledger.ts';

/** A record that its file gives no id. */
export interface RecordEntry {
  readonly type: string;
  /** What it is known by in a later import; see `entryOf`. */
  readonly entry: string;
}

/**
 * What a record without an id is known by: its content. `number` distinguishes equal records of the same files, so that as many are stored
 * as there are.
 */
export const entryOf = (hash: string, number: number): string => (number === 1 ? hash : `${hash} ${number}`);

/** Equal for records with the same members in the same order, however they are spaced. */
export const contentHash = (body: Readonly<Record<string, unknown>>): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(body)).digest('hex');

/** The records of earlier imports whose ids are not those of their files, so that none is imported twice. */
export class RecordEntries {
  readonly #ledger: ImportLedger;

  /** `source`: that of records which it knows by ids of its own. */
  constructor(dialect: Dialect, source = 'records') {
    this.#ledger = new ImportLedger(dialect, source);
  }

  /** The id that the record got; it may have been deleted since. */
  find(executor: Executor, { type, entry }: RecordEntry): Promise<string | undefined> {
    return this.#ledger.find(executor, type, entry);
  }

  /** In the transaction that stores the record. */
  note(transaction: Transaction, { type, entry }: RecordEntry, id: string): Promise<void> {
    return this.#ledger.note(transaction, type, entry, id);
  }
}
