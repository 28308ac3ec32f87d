import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Database, Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { Breaks } from '../breaks.ts';
import type { Progress } from '../progress.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { recordFileName } from './record-file-name.ts';
import { type ExportView, RecordStream } from './record-stream.ts';

export interface RecordsExport {
  readonly database: Database;
  readonly types: readonly ContentType[];
  /** Created; may exist already if it is empty. */
  readonly folder: string;
  readonly progress: Progress;
  /** Default: everything. */
  readonly view?: ExportView;
  /** Writes more into the folder before it appears. */
  readonly beside?: (folder: string) => Promise<void>;
}

export interface ExportedFile {
  readonly type: string;
  readonly file: string;
  readonly records: number;
}

/**
 * Writes all records of the types, one file for each type, from one snapshot: equal databases give equal bytes. The folder appears
 * once everything is on the disk, readable only by its owner. Throws a `TransferRefused` when it is not empty.
 */
export async function exportRecords(options: RecordsExport): Promise<readonly ExportedFile[]> {
  const { database, types, progress, view = {} } = options;
  const folder = resolve(options.folder);
  refuseFull(folder, options.folder);
  // Also of an export by a request, whose folder is in the data folder.
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const unfinished = mkdtempSync(`${folder}-unfinished-`);
  try {
    const files = await database.snapshot((reader) =>
      exportTypes({ reader, dialect: database.dialect, folder: unfinished, types, progress, view }),
    );
    await options.beside?.(unfinished);
    if (existsSync(folder)) rmdirSync(folder);
    renameSync(unfinished, folder);
    return files;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

function refuseFull(folder: string, named: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new TransferRefused(`${named} is no folder.`);
  if (readdirSync(folder).length === 0) return;
  throw new TransferRefused(`The folder ${named} is not empty: name another one with --out.`);
}

interface TypesExport extends Pick<RecordsExport, 'types' | 'folder' | 'progress'> {
  readonly view: ExportView;
  readonly reader: Executor;
  readonly dialect: Dialect;
}

async function exportTypes({
  reader,
  dialect,
  types,
  folder,
  progress,
  view,
}: TypesExport): Promise<readonly ExportedFile[]> {
  const parts: { readonly type: ContentType; readonly stream: RecordStream; readonly records: number | undefined }[] =
    [];
  for (const type of types) {
    const stream = await RecordStream.open(reader, dialect, type, view);
    parts.push({ type, stream, records: await stream.count() });
  }
  const total = parts.reduce((sum, { records = 0 }) => sum + records, 0);
  const files: ExportedFile[] = [];
  let done = 0;
  const breaks = new Breaks();
  for (const { type, stream } of parts) {
    let count = 0;
    using file = new LineFile(join(folder, recordFileName(type)));
    for (let records = await stream.next(); records !== undefined; records = await stream.next()) {
      for (const record of records) file.write(JSON.stringify(record));
      count += records.length;
      done += records.length;
      progress('Exporting', done, Math.max(done, total));
      await breaks.next();
    }
    file.finish();
    files.push({ type: type.singular, file: recordFileName(type), records: count });
  }
  return files;
}

/** The write buffer in characters. */
const gathered = 1024 * 1024;

/** A new text file that only its owner can read. */
class LineFile implements Disposable {
  readonly #descriptor: number;
  #lines: string[] = [];
  #size = 0;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'wx', 0o600);
    chmodSync(path, 0o600);
  }

  write(line: string): void {
    this.#lines.push(line, '\n');
    this.#size += line.length;
    if (this.#size > gathered) this.#flush();
  }

  /** Flushes everything to the disk. */
  finish(): void {
    this.#flush();
    fsyncSync(this.#descriptor);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#lines.join(''));
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#descriptor, bytes, written);
    this.#lines = [];
    this.#size = 0;
  }
}
