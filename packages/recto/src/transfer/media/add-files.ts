import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { Problem } from '../../base/problem.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Database } from '../../database/database.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { eventWriter } from '../../events/event-writer.ts';
import type { FileStore } from '../../media/file-store.ts';
import { type IngestedFile, type IngestLimits, ingestFile } from '../../media/ingest-file.ts';
import { recordsWithoutFile } from '../../media/media-maintenance.ts';
import { storedFacts, storedFile } from '../../media/stored-facts.ts';
import { RecordRestorer } from '../../records/restore-record.ts';
import { type Storage, storedChunks } from '../../storage/storage.ts';

export interface AddFiles {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly storage: Storage;
  readonly store: FileStore;
  readonly limits: IngestLimits;
}

/** What became of the files of a folder. */
export interface AddedFiles {
  /** Files whose bytes were missing. */
  readonly added: number;
  /** The records that have their file now. */
  readonly records: number;
  /** Files that the storage had. */
  readonly before: number;
  /** Files that no record names. */
  readonly unknown: number;
  readonly refused: readonly { readonly file: string; readonly reason: string }[];
  /** The ids of records whose files are still missing: at most 1,000. */
  readonly missing: readonly string[];
}

type Outcome = 'before' | 'unknown' | { readonly records: number } | { readonly reason: string };

/** Looks in a folder, and all below it, for the files that records of media lack, by their hashes, and stores these. Names do not matter. */
export async function addFiles(folder: string, parts: AddFiles): Promise<AddedFiles> {
  const { database, types } = parts;
  const type = types.get('media');
  const counts = { added: 0, records: 0, before: 0, unknown: 0 };
  const refused: { readonly file: string; readonly reason: string }[] = [];
  for await (const path of filesBelow(folder)) {
    const outcome = await addFile(parts, type, path);
    if (typeof outcome === 'string') counts[outcome] += 1;
    else if ('reason' in outcome) refused.push({ file: path, reason: outcome.reason });
    else {
      counts.added += 1;
      counts.records += outcome.records;
    }
  }
  return { ...counts, refused, missing: await recordsWithoutFile(database, database.dialect) };
}

async function* filesBelow(folder: string): AsyncGenerator<string, void, undefined> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

async function addFile(parts: AddFiles, type: ContentType, path: string): Promise<Outcome> {
  const { database, storage, store } = parts;
  const hash = await hashOf(path);
  const records = await recordsOf(database, type, hash);
  if (records.length === 0) return 'unknown';
  const row = await store.find(database, hash);
  const known = row && (await storedFile(storage, row));
  const lacking = row === undefined ? records : records.filter(({ mime_type: mimeType }) => mimeType === null);
  if (known !== undefined && lacking.length === 0) return 'before';
  try {
    const file = known ?? (await ingested(parts, path, hash));
    if (file === undefined) return { reason: 'It was changed while it was read.' };
    if (known === undefined && row !== undefined) {
      // The row stays: other records, and addresses that are cached, lead to it.
      await storage.put(row.storage_key, storedChunks(storage.get(file.key)));
      await storage.delete(file.key);
    }
    await complete(parts, type, row === undefined ? file : { ...file, key: row.storage_key }, lacking);
    return { records: lacking.length === 0 ? records.length : lacking.length };
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return { reason: error.message };
    throw error;
  }
}

/** Undefined, and nothing stored, where the file has changed since its hash was computed. */
async function ingested({ storage, limits }: AddFiles, path: string, hash: string): Promise<IngestedFile | undefined> {
  const file = await ingestFile(storage, storedChunks(Bun.file(path)), limits);
  if (file.hash === hash) return file;
  await storage.delete(file.key);
  return undefined;
}

/** Gives records what their bytes show, in one transaction with the row of the file. */
async function complete(
  { database, types, storage, store }: AddFiles,
  type: ContentType,
  file: IngestedFile,
  records: readonly { readonly id: string }[],
): Promise<void> {
  const facts = await storedFacts(storage, file);
  const restorer = new RecordRestorer(database, types, eventWriter);
  const kept = await database.transaction(async (transaction) => {
    const key = await store.claim(transaction, file, Date.now());
    for (const { id } of records) await restorer.complete(transaction, type, id, facts);
    return key;
  });
  if (kept !== file.key) await storage.delete(file.key);
}

async function hashOf(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  for await (const chunk of storedChunks(Bun.file(path))) hash.update(chunk);
  return hash.digest('hex');
}

interface MediaRow {
  readonly id: string;
  readonly mime_type: string | null;
}

const recordsOf = (database: Database, { table }: ContentType, hash: string): MaybePromise<readonly MediaRow[]> =>
  database.rows<MediaRow>(
    compiledQuery(sql`select id, mime_type from ${sql.id(table)} where hash = ${hash}`, database.dialect),
  );
