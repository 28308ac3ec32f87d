import type { ContentType } from '../definition/content-type.ts';
import type { Records } from '../records/records.ts';
import type { Storage } from '../storage/storage.ts';
import type { FileStore } from './file-store.ts';
import { variantsOf } from './storage-keys.ts';

const atOnce = 100;

/** A look that took longer is made again after so many times as long, and after `longestPauseMs` at the latest. */
const quickMs = 20;
const pauseFactor = 50;
const longestPauseMs = 5_000;

/**
 * Removes files that neither a record nor an account has from the storage, with their variants. In two steps, so that neither a crash
 * nor an upload of the same bytes at the same moment does harm: a transaction gives the file up where no record has it, and keeps its
 * key; then the storage removes it. An upload that comes later stores its bytes under a key of its own.
 */
export class UnusedFiles {
  readonly #records: Records;
  readonly #type: ContentType;
  readonly #storage: Storage;
  readonly #store: FileStore;
  /** The generation of the type at which there were none. */
  #seen: number | undefined;
  /** When it is looked again, on the clock of `performance.now()`. */
  #nextLook = 0;

  constructor(parts: {
    readonly records: Records;
    readonly type: ContentType;
    readonly storage: Storage;
    readonly store: FileStore;
  }) {
    this.#records = parts.records;
    this.#type = parts.type;
    this.#storage = parts.storage;
    this.#store = parts.store;
  }

  /**
   * `now` where there are any, else null. Looks only where records of the type have changed since the last time, and the less often
   * the longer it takes: a look goes over all files.
   */
  async dueAt(now: number): Promise<number | null> {
    const { database } = this.#records;
    await database.generations.refresh();
    const generation = database.generations.of(this.#type.singular);
    const begun = performance.now();
    if (generation === this.#seen || begun < this.#nextLook) return null;
    const unused = await this.#store.unused(database, this.#type.table, 1);
    const took = performance.now() - begun;
    this.#nextLook = took < quickMs ? 0 : begun + took + Math.min(longestPauseMs, took * pauseFactor);
    if (unused.length > 0 || (await this.#store.discarded(database, 1)).length > 0) return now;
    this.#seen = generation;
    return null;
  }

  /** Ends early when `signal` is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    await this.discard(signal);
    await this.empty(signal);
  }

  /** Gives up all files that no record has. */
  async discard(signal: AbortSignal): Promise<number> {
    const { database } = this.#records;
    const { table } = this.#type;
    let count = 0;
    for (;;) {
      const unused = await this.#store.unused(database, table, atOnce);
      for (const file of unused) {
        if (signal.aborted) return count;
        const gone = await database.transaction((transaction) =>
          this.#store.discard(transaction, table, file, Date.now()),
        );
        if (gone) count += 1;
      }
      if (unused.length < atOnce) return count;
    }
  }

  /** Removes what has been given up from the storage. */
  async empty(signal: AbortSignal): Promise<void> {
    const { database } = this.#records;
    for (;;) {
      const keys = await this.#store.discarded(database, atOnce);
      for (const key of keys) {
        if (signal.aborted) return;
        await removeFile(this.#storage, key);
        await database.transaction((transaction) => this.#store.forget(transaction, key));
      }
      if (keys.length < atOnce) return;
    }
  }
}

/** Removes a file with its variants. */
export async function removeFile(storage: Storage, key: string): Promise<void> {
  await storage.delete(key);
  for await (const variant of storage.list(variantsOf(key))) await storage.delete(variant.key);
}
