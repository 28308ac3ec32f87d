import { sql } from 'kysely';
import { FatalError } from '../base/fatal-error.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database, Executor } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { tableName } from '../definition/type-names.ts';
import { type ListedFile, type Storage, storedChunks } from '../storage/storage.ts';
import { FileStore } from './file-store.ts';
import type { FileRow } from './media-tables.ts';
import { removeOldVariants } from './old-variants.ts';
import { filesPrefix, piecesPrefix, variantsOf, variantsPrefix } from './storage-keys.ts';
import { removeFile } from './unused-files.ts';
import { UploadStore } from './upload-store.ts';

const table = tableName('media');
const atOnce = 500;

export interface MediaPlace {
  readonly database: Database;
  readonly storage: Storage;
}

/** What is wrong with one file. */
export interface MediaFault {
  readonly kind: 'missing' | 'wrong_size' | 'wrong_hash' | 'record_without_file' | 'file_without_row';
  /** A key of the storage, or the id of a record. */
  readonly at: string;
}

/** Stored files that belong to no row and are so young that an upload which runs may need them. */
export interface YoungFiles {
  readonly files: number;
  /** When the newest was written, in milliseconds since 1970. */
  readonly newest: number;
}

export interface MediaReport {
  readonly files: number;
  readonly bytes: number;
  readonly faults: readonly MediaFault[];
  /** Null: there are none. */
  readonly unfinished: YoungFiles | null;
}

/** What belongs to no row may be of an upload that runs until it is so old, in milliseconds. */
export const unfinishedMs = 3_600_000;

/** Whether rows and stored files agree, and the bytes have their hashes. Changes nothing. `seen` is called after each file. */
export async function verifyMedia(
  place: MediaPlace,
  seen: (count: number) => void = () => {},
  now = Date.now(),
): Promise<MediaReport> {
  const { database, storage } = place;
  const store = new FileStore(database.dialect);
  const faults: MediaFault[] = [];
  const keys = new Set<string>();
  let bytes = 0;
  for await (const row of allFiles(database, store)) {
    keys.add(row.storage_key);
    const kind = await faultOf(storage, row);
    if (kind !== undefined) faults.push({ kind, at: row.storage_key });
    bytes += Number(row.size);
    seen(keys.size);
  }
  for (const id of await recordsWithoutFile(database, database.dialect))
    faults.push({ kind: 'record_without_file', at: id });
  const { old, young } = byAge(await unknownFiles(place, keys), now - unfinishedMs);
  for (const key of old) faults.push({ kind: 'file_without_row', at: key });
  return { files: keys.size, bytes, faults, unfinished: young };
}

/** The keys of files that are older than `before`, and those that are not. */
function byAge(files: readonly ListedFile[], before: number) {
  const young = files.filter(({ changedAt }) => changedAt >= before);
  const newest = young.reduce((latest, { changedAt }) => Math.max(latest, changedAt), 0);
  return {
    old: files.filter(({ changedAt }) => changedAt < before).map(({ key }) => key),
    young: young.length === 0 ? null : ({ files: young.length, newest } satisfies YoungFiles),
  };
}

async function faultOf(storage: Storage, row: FileRow): Promise<MediaFault['kind'] | undefined> {
  const found = await storage.stat(row.storage_key);
  if (found === undefined) return 'missing';
  if (found.size !== Number(row.size)) return 'wrong_size';
  return (await storedHash(storage, row.storage_key)) === row.hash ? undefined : 'wrong_hash';
}

/** The SHA-256 of a file that is there, in hexadecimal. */
export async function storedHash(storage: Storage, key: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256');
  for await (const chunk of storedChunks(storage.get(key))) hash.update(chunk);
  return hash.digest('hex');
}

async function* allFiles(database: Database, store: FileStore): AsyncGenerator<FileRow, void, undefined> {
  for (let after = ''; ; ) {
    const rows = await store.page(database, after, atOnce);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < atOnce) return;
    after = last.hash;
  }
}

/** The ids of records whose file is not known, or of which nothing was read from the bytes: at most 1,000. */
export async function recordsWithoutFile(executor: Executor, dialect: Dialect): Promise<readonly string[]> {
  const missing = sql`select id from ${sql.id(table)} as m
    where mime_type is null or not exists (select 1 from recto_media_files as f where f.hash = m.hash) limit 1000`;
  const rows = await executor.rows<{ id: string }>(compiledQuery(missing, dialect));
  return rows.map(({ id }) => id);
}

/** The stored files, variants and pieces that belong to no row, such as those of uploads that broke off. */
async function unknownFiles(
  { database, storage }: MediaPlace,
  files: ReadonlySet<string>,
): Promise<readonly ListedFile[]> {
  const variants = new Set([...files].map(variantsOf));
  const pieces = await new UploadStore(database.dialect).pieces(database);
  const trash = new Set(await new FileStore(database.dialect).discarded(database, 1_000_000));
  const isKnown = (key: string): boolean => {
    if (key.startsWith(filesPrefix)) return files.has(key) || trash.has(key);
    if (key.startsWith(variantsPrefix)) return variants.has(key.slice(0, key.lastIndexOf('/') + 1));
    return pieces.has(key);
  };
  const unknown: ListedFile[] = [];
  for (const prefix of [filesPrefix, variantsPrefix, piecesPrefix]) {
    for await (const file of storage.list(prefix)) if (!isKnown(file.key)) unknown.push(file);
  }
  return unknown;
}

export interface Swept {
  /** Files that no record had any more. */
  readonly unused: number;
  /** Stored files without a row. */
  readonly strays: number;
  /** Uploads that broke off. */
  readonly unfinished: number;
  /** Variants of images that are cut as no record says any more. */
  readonly variants: number;
  /** What belongs to nothing and stays, because it is younger than was asked for; null: there is nothing. */
  readonly left: YoungFiles | null;
}

/**
 * Removes what interrupted uploads and removals have left in the storage, and variants that nobody is shown any more. What is younger than `before` (milliseconds since 1970)
 * may belong to an upload that runs, and stays.
 */
export async function sweepMedia(place: MediaPlace, before: number): Promise<Swept> {
  const { database, storage } = place;
  const store = new FileStore(database.dialect);
  let unused = 0;
  for (const file of await store.unused(database, table, 1_000_000)) {
    const gone = await database.transaction((transaction) => store.discard(transaction, table, file, Date.now()));
    if (gone) unused += 1;
  }
  for (const key of await store.discarded(database, 1_000_000)) {
    await removeFile(storage, key);
    await database.transaction((transaction) => store.forget(transaction, key));
  }
  // Listed before the rows are read: a file that gets its row in between is known.
  const candidates = new Set<string>();
  for (const prefix of [filesPrefix, variantsPrefix, piecesPrefix]) {
    for await (const { key } of storage.list(prefix)) candidates.add(key);
  }
  const keys = new Set<string>();
  for await (const row of allFiles(database, store)) keys.add(row.storage_key);
  const unknown = await unknownFiles(place, keys);
  const { old, young } = byAge(
    unknown.filter(({ key }) => candidates.has(key)),
    before,
  );
  for (const key of old) await storage.delete(key);
  const unfinished = await storage.removeUnfinished(before);
  const variants = await removeOldVariants(place, before);
  return { unused, strays: old.length, unfinished, variants, left: young };
}

export interface Moved {
  readonly copied: number;
  /** That were there already. */
  readonly kept: number;
  readonly bytes: number;
}

/**
 * Copies all files to another storage, and checks the bytes on the way. Run again after a break, it goes on: files that are there
 * are not copied. Variants are made again where they are asked for. Nothing is removed.
 */
export async function moveMedia(
  { database, storage }: MediaPlace,
  target: Storage,
  seen: (count: number) => void = () => {},
): Promise<Moved> {
  const store = new FileStore(database.dialect);
  let [copied, kept, bytes] = [0, 0, 0];
  for await (const row of allFiles(database, store)) {
    const there = await target.stat(row.storage_key);
    if (there?.size === Number(row.size)) kept += 1;
    else {
      bytes += await copyFile(storage, target, row);
      copied += 1;
    }
    seen(copied + kept);
  }
  return { copied, kept, bytes };
}

/** Throws, and leaves nothing at the target, where the bytes are not those that were stored. */
async function copyFile(from: Storage, to: Storage, { storage_key: key, hash: wanted }: FileRow): Promise<number> {
  const hash = new Bun.CryptoHasher('sha256');
  const checked = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of storedChunks(from.get(key))) {
      hash.update(chunk);
      yield chunk;
    }
    if (hash.digest('hex') !== wanted) throw new DamagedFile(key);
  };
  return to.put(key, checked());
}

/** The bytes of a file are not those that were stored. */
export class DamagedFile extends FatalError {
  constructor(key: string) {
    super(`The file ${key} is damaged: its bytes do not have its hash. Run "recto media verify" for all such files.`);
  }
}
