import { Problem } from '../../base/problem.ts';
import type { Database, Transaction } from '../../database/database.ts';
import type { FileStore } from '../../media/file-store.ts';
import { type IngestedFile, type IngestLimits, ingestFile } from '../../media/ingest-file.ts';
import type { FileRow } from '../../media/media-tables.ts';
import { storedFacts, storedFile } from '../../media/stored-facts.ts';
import { type Storage, storedChunks } from '../../storage/storage.ts';
import type { RecordStaging } from '../json/record-staging.ts';
import type { TransferTally } from '../transfer-report.ts';
import { mediaFolder } from './export-files.ts';

export interface FilesImport {
  readonly database: Database;
  readonly storage: Storage;
  readonly store: FileStore;
  readonly limits: IngestLimits;
  readonly staging: RecordStaging;
  readonly dryRun: boolean;
}

const kind = 'files';

/**
 * Takes the files of an import: their bytes are stored before the records, whose transactions claim them. What none has claimed is
 * removed at the end.
 */
export class FileImport {
  readonly #parts: FilesImport;
  readonly #failures: { readonly place: string; readonly reason: string }[] = [];
  #taken = 0;
  #before = 0;
  #unused = 0;

  constructor(parts: FilesImport) {
    this.#parts = parts;
  }

  /** Takes a file that is named after its hash; one that is not as it should be is reported, and its record has none. */
  async take(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const [hash = ''] = name.split('.');
    const reason = /^[0-9a-f]{64}$/.test(hash) ? await this.#take(hash, bytes) : 'It is not named after its hash.';
    if (reason !== undefined) this.#failures.push({ place: `${mediaFolder}/${name}`, reason });
  }

  /** Takes a file whose hash is not known yet. Resolves with it, or with the reason why the file is not taken. */
  async add(bytes: AsyncIterable<Uint8Array>): Promise<{ readonly hash: string } | { readonly reason: string }> {
    const { storage, limits, dryRun } = this.#parts;
    try {
      const file = await ingestFile(dryRun ? nowhere : storage, bytes, limits);
      await this.#keep(file);
      return { hash: file.hash };
    } catch (error) {
      if (error instanceof Problem && error.status < 500) return { reason: error.message };
      throw error;
    }
  }

  /** Notes a file that was stored; removes it where its bytes are there already. */
  async #keep(file: IngestedFile): Promise<void> {
    const { database, storage, store, staging, dryRun } = this.#parts;
    const { hash } = file;
    const row = await store.find(database, hash);
    const isStored = row !== undefined && (await storedFile(storage, row)) !== undefined;
    if (isStored) this.#before += 1;
    if (dryRun) {
      if (!isStored && staging.facts(hash) === undefined) this.#taken += 1;
      staging.addFacts(hash, {});
      return;
    }
    if (isStored || staging.file(hash) !== undefined) return storage.delete(file.key);
    await this.#stage(file, row);
  }

  /** Notes a file that was stored for the records that claim it. `row`: that of a file whose bytes the storage has lost. */
  async #stage(file: IngestedFile, row: FileRow | undefined): Promise<void> {
    const { storage, staging } = this.#parts;
    staging.addFacts(file.hash, await storedFacts(storage, file));
    if (row === undefined) staging.addFile(file);
    else await putBack(storage, row.storage_key, file);
    this.#taken += 1;
  }

  /** Why the file is not taken. */
  async #take(hash: string, bytes: AsyncIterable<Uint8Array>): Promise<string | undefined> {
    const { database, storage, store, limits, staging, dryRun } = this.#parts;
    const row = await store.find(database, hash);
    if (row !== undefined && (await storedFile(storage, row)) !== undefined) {
      this.#before += 1;
      return undefined;
    }
    if (dryRun) {
      if ((await hashOf(bytes)) !== hash) return wrongBytes;
      staging.addFacts(hash, {});
      this.#taken += 1;
      return undefined;
    }
    try {
      const file = await ingestFile(storage, bytes, limits);
      if (file.hash !== hash) {
        await storage.delete(file.key);
        return wrongBytes;
      }
      await this.#stage(file, row);
      return undefined;
    } catch (error) {
      if (error instanceof Problem && error.status < 500) return error.message;
      throw error;
    }
  }

  /** Makes a staged file that of a record, in the transaction that stores the record. */
  async claim(transaction: Transaction, hash: unknown): Promise<void> {
    const file = typeof hash === 'string' ? this.#parts.staging.file(hash) : undefined;
    if (file !== undefined) await this.#parts.store.claim(transaction, file, Date.now());
  }

  /** Removes the files that no record has claimed. */
  async finish(): Promise<void> {
    const { database, storage, store, staging } = this.#parts;
    for (const { hash, key } of staging.files()) {
      if ((await store.find(database, hash))?.storage_key === key) continue;
      await storage.delete(key);
      this.#unused += 1;
    }
  }

  /** Adds what became of the files to the counts. */
  report(tally: TransferTally): void {
    tally.expect(kind);
    for (let count = this.#unused; count < this.#taken; count += 1) tally.taken(kind);
    for (let count = 0; count < this.#before; count += 1) tally.before(kind);
    for (let count = 0; count < this.#unused; count += 1) tally.skipped(kind, 'no new record has them', '');
    for (const { place, reason } of this.#failures) tally.failed(kind, place, [reason]);
  }
}

/** For a dry run: reads all, keeps nothing. */
const nowhere: Pick<Storage, 'put'> = {
  async put(_, bytes) {
    let size = 0;
    for await (const chunk of bytes) size += chunk.length;
    return size;
  },
};

const wrongBytes = 'Its bytes do not have the hash that it is named after.';

/** The storage has lost the bytes of a row, to which other records lead. */
async function putBack(storage: Storage, key: string, file: IngestedFile): Promise<void> {
  await storage.put(key, storedChunks(storage.get(file.key)));
  await storage.delete(file.key);
}

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}
