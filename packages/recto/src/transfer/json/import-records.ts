import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FieldFault } from '../../base/problem.ts';
import type { Database, Transaction } from '../../database/database.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import { hasLinks } from '../../definition/structure/inner-links.ts';
import { eventWriter } from '../../events/event-writer.ts';
import { RecordRestorer, type RestoredRecord } from '../../records/restore-record.ts';
import type { Progress } from '../progress.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { type TransferReport, TransferTally } from '../transfer-report.ts';
import { ImportFaults } from './import-faults.ts';
import { recordFileEnding, typeNamed, typeNames } from './record-files.ts';
import { placeOf, RecordStaging, type StagedRecord } from './record-staging.ts';
import { textLines } from './text-lines.ts';

export interface RecordsImport {
  /** A folder written by an export, or one file of it. */
  readonly path: string;
  /** The type (singular or plural) of a single file that is not named after its type. */
  readonly type: string | undefined;
  /** Migrated to the content types. */
  readonly database: Database;
  readonly types: ContentTypes;
  /** A folder with space for a working copy of the files during the import. */
  readonly workFolder: string;
  readonly dryRun: boolean;
  readonly progress: Progress;
}

interface RecordFile {
  readonly path: string;
  readonly name: string;
  readonly type: ContentType;
}

/**
 * Stores the records of an export under their own ids: all of them in one transaction, or none if any has an error
 * (`TransferRefused` with files and lines). A record whose id exists already stays as it is.
 */
export async function importRecords(options: RecordsImport): Promise<TransferReport> {
  using staging = new RecordStaging(options.workFolder);
  const files = recordFiles(options);
  const tally = new TransferTally(files.map(({ type }) => type.plural));
  const run = new RecordsImportRun(options, staging, tally);
  await run.read(files);
  await run.store();
  return tally.report(options.dryRun);
}

function recordFiles({ path, type: named, types }: RecordsImport): readonly RecordFile[] {
  if (!existsSync(path)) throw new TransferRefused(`There is no file or folder ${path}.`);
  if (!statSync(path).isDirectory()) return [recordFile(path, named ?? basename(path, recordFileEnding), types)];
  if (named !== undefined) throw new TransferRefused('--type goes with a single file.');
  const names = readdirSync(path).filter((name) => name.endsWith(recordFileEnding));
  if (names.length === 0)
    throw new TransferRefused(`The folder ${path} holds no file that ends in ${recordFileEnding}.`);
  return names.toSorted().map((name) => recordFile(join(path, name), basename(name, recordFileEnding), types));
}

function recordFile(path: string, typeName: string, types: ContentTypes): RecordFile {
  const type = typeNamed(types, typeName);
  if (type !== undefined) return { path, name: basename(path), type };
  throw new TransferRefused(
    `${basename(path)}: there is no content type “${typeName}”. There are: ${typeNames(types)}; --type names that of a single file.`,
  );
}

/** Rolls a dry run back. */
const dryRunDone = Symbol('dry run done');

class RecordsImportRun {
  readonly #options: RecordsImport;
  readonly #staging: RecordStaging;
  readonly #tally: TransferTally;
  readonly #restorer: RecordRestorer;
  #faults = new ImportFaults();

  constructor(options: RecordsImport, staging: RecordStaging, tally: TransferTally) {
    this.#options = options;
    this.#staging = staging;
    this.#tally = tally;
    this.#restorer = new RecordRestorer(options.database, options.types, eventWriter);
  }

  /** Reads and checks every line of every file. */
  async read(files: readonly RecordFile[]): Promise<void> {
    const size = files.reduce((sum, { path }) => sum + statSync(path).size, 0);
    let done = 0;
    for (const { path, name, type } of files) {
      const lines = textLines(path, name, (bytes) => {
        done += bytes;
        this.#options.progress('Reading', done, size);
      });
      for await (const { text, number } of lines) this.#readLine(type, name, number, text);
    }
    this.#faults.refuse();
  }

  #readLine(type: ContentType, file: string, line: number, content: string): void {
    const place = placeOf({ file, line });
    const body = objectOf(content);
    if (typeof body === 'string') {
      this.#faults.add(place, body);
      return;
    }
    const { id, faults } = this.#restorer.check(type, body);
    this.#faults.addAll(place, faults);
    if (faults.length > 0) return;
    if (this.#staging.add({ type: type.singular, id, file, line, content })) return;
    this.#faults.add(place, `id: ${this.#staging.placeOf(type.singular, id)} has this id already.`);
  }

  async store(): Promise<void> {
    const { database, dryRun } = this.#options;
    try {
      await database.transaction(async (transaction) => {
        this.#begin();
        await this.#insert(transaction);
        const isRelated = (type: ContentType) =>
          type.fields.some((field) => field.place.shape !== 'column' || hasLinks(field));
        await this.#each(isRelated, 'Relating', (record) => this.#restorer.relate(transaction, record));
        const isWatched = (type: ContentType) =>
          type.protocols.some(({ protocol }) => protocol.storedFaults !== undefined);
        await this.#each(isWatched, 'Checking', (record) => this.#restorer.settle(transaction, record));
        if (dryRun) throw dryRunDone;
      });
    } catch (error) {
      if (error !== dryRunDone) throw error;
    }
  }

  /** A transaction that conflicts with another one runs again, from the staged records. */
  #begin(): void {
    this.#faults = new ImportFaults();
    this.#tally.clear();
    this.#staging.unmark();
  }

  async #insert(transaction: Transaction): Promise<void> {
    const { types, progress } = this.#options;
    const { total } = this.#staging;
    let done = 0;
    for (const staged of this.#staging.records('all')) {
      const type = types.get(staged.type);
      const faults = await this.#insertOne(transaction, staged, type);
      this.#faults.addAll(placeOf(staged), faults);
      done += 1;
      progress('Importing', done, total);
    }
    this.#faults.refuse();
  }

  async #insertOne(transaction: Transaction, staged: StagedRecord, type: ContentType): Promise<readonly FieldFault[]> {
    const record = this.#record(staged, type);
    if (await this.#restorer.exists(transaction, type, record.id)) {
      this.#tally.before(type.plural);
      return [];
    }
    if (type.kind === 'single' && (await this.#restorer.any(transaction, record))) {
      this.#tally.skipped(type.plural, 'it is a single type, and has its one record already', placeOf(staged));
      return [];
    }
    this.#tally.taken(type.plural);
    this.#staging.markNew(staged.number);
    return this.#restorer.insertAlone(transaction, record);
  }

  /** Runs a step on all new records of some types. */
  async #each(
    concerns: (type: ContentType) => boolean,
    phase: string,
    step: (record: RestoredRecord) => Promise<readonly FieldFault[]>,
  ): Promise<void> {
    const { types, progress } = this.#options;
    const { total } = this.#staging;
    for (const staged of this.#staging.records('new')) {
      const type = types.get(staged.type);
      if (concerns(type)) this.#faults.addAll(placeOf(staged), await step(this.#record(staged, type)));
      progress(phase, staged.number, total);
    }
    this.#faults.refuse();
  }

  #record({ content }: StagedRecord, type: ContentType): RestoredRecord {
    // True because `read` has checked that every line is an object.
    return this.#restorer.check(type, JSON.parse(content) as Record<string, unknown>);
  }
}

/** The object on a line, or the error. */
function objectOf(text: string): Readonly<Record<string, unknown>> | string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'this is no JSON object.';
    return value as Readonly<Record<string, unknown>>;
  } catch (error) {
    return `this is no JSON (${error instanceof Error ? error.message : String(error)}).`;
  }
}
