import type { Database, Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type EngineState, engineState, newerText } from '../../database/engine/engine-state.ts';
import type { EngineTables } from '../../database/engine/engine-tables.ts';
import { isUnfinishedCopy } from '../../database/unfinished-copy.ts';
import { readStoredSchema, type StoredSchema } from '../../migrations/storage/stored-schema.ts';
import type { Progress } from '../progress.ts';
import { recordTables } from '../tables/record-tables.ts';
import type { StoredTable } from '../tables/stored-table.ts';
import { TableWriter } from '../tables/table-writer.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { CheckedReader } from './checked-reader.ts';
import { CopyProgress, notBegun, type TableProgress } from './copy-progress.ts';
import { beginTarget, clearTarget, finishTarget, refuseOccupied } from './copy-target.ts';
import { engineCopies, schemaCopy } from './engine-copies.ts';
import { refuseUnknown } from './refuse-unknown.ts';

export interface CopySource {
  /** Reads one snapshot of the source and changes nothing. */
  readonly executor: Executor;
  readonly dialect: Dialect;
  /** The stored layouts of its types' tables. */
  readonly schema: StoredSchema;
  /** The tables of the engine, in both databases. */
  readonly engine: EngineTables;
}

export interface CopyOptions {
  /** Opened for writing. */
  readonly target: Database;
  /** Restart a copy that was left unfinished. */
  readonly restart: boolean;
  readonly progress: Progress;
}

/** A table with the same layout in both databases. */
export interface TableCopied {
  readonly table: string;
  readonly rows: number;
  readonly checksum: string;
}

export interface CopyReport {
  readonly tables: readonly TableCopied[];
  /** Rows that an earlier run had copied. */
  readonly resumed: number;
}

/**
 * Copies one snapshot of the source into an empty database, or resumes an interrupted copy. The target can be served only
 * when the checksums of all tables agree. Throws a `TransferRefused` if anything is wrong.
 */
export async function copyDatabase(source: CopySource, options: CopyOptions): Promise<CopyReport> {
  const { target } = options;
  const { schema, engine } = source;
  const tables = [...recordTables(schema), ...engineCopies(engine)];
  const copy = new DatabaseCopy(source, options, tables);
  await copy.open();
  const copied = [await copy.schema(), ...(await copy.tables())];
  await copy.check(copied);
  await finishTarget(target, schema, engine);
  return { tables: copied, resumed: copy.resumed };
}

/** Plans the copy. Throws a `TransferRefused` where it is impossible. */
export async function openCopySource(executor: Executor, dialect: Dialect, engine: EngineTables): Promise<CopySource> {
  if ((await executor.rows(dialect.schema.columns(schemaCopy.name))).length === 0)
    throw new TransferRefused('The source is no database of Recto.');
  if (await isUnfinishedCopy(executor, dialect))
    throw new TransferRefused('The source is itself a copy that is not finished.');
  refuseOtherShape(await engineState(executor, dialect, engine), engine);
  const schema = await readStoredSchema(executor);
  const tables = [...recordTables(schema), ...engineCopies(engine), schemaCopy];
  await refuseUnknown(executor, dialect, tables, engine);
  return { executor, dialect, schema, engine };
}

/** Rows are written as they are read, so that both databases must have the same tables. */
function refuseOtherShape(state: EngineState, engine: EngineTables): void {
  const newer = newerText(state, engine);
  if (newer !== undefined) throw new TransferRefused(`The source ${newer}: copy it with that version.`);
  const { number = 0 } = state;
  if (engine.migrations.every((migration) => migration.number <= number || migration.additive === true)) return;
  throw new TransferRefused(
    `The source was written by an older version of Recto (its tables have number ${number}, this version has ${engine.number}): start this version on it once, and copy then.`,
  );
}

class DatabaseCopy {
  /** Rows that were already present. */
  resumed = 0;
  readonly #source: CopySource;
  readonly #options: CopyOptions;
  readonly #tables: readonly StoredTable[];
  readonly #progress: CopyProgress;
  #total = 0;
  #done = 0;

  constructor(source: CopySource, options: CopyOptions, tables: readonly StoredTable[]) {
    this.#source = source;
    this.#options = options;
    this.#tables = tables;
    this.#progress = new CopyProgress(options.target.dialect);
  }

  /** Creates the tables in the target, or finds those of an earlier run. */
  async open(): Promise<void> {
    const { target, restart } = this.#options;
    const { schema, engine } = this.#source;
    for (const table of this.#tables) this.#total += await (await this.#reader(table)).count();
    const plan = new Bun.CryptoHasher('sha256').update(JSON.stringify([...schema])).digest('hex');
    if (restart) await clearTarget(target, engine);
    if (await isUnfinishedCopy(target, target.dialect)) {
      if ((await this.#progress.plan(target)) !== plan) throw changed('The content types of the source');
      return;
    }
    await refuseOccupied(target, engineCopies(engine));
    await beginTarget(target, schema, (transaction) => this.#progress.begin(transaction, plan));
  }

  /** The first table: it was copied when the others were created. */
  async schema(): Promise<TableCopied> {
    const reader = await this.#reader(schemaCopy);
    while ((await reader.next()) !== undefined);
    return summary(schemaCopy, reader);
  }

  async tables(): Promise<readonly TableCopied[]> {
    const copied: TableCopied[] = [];
    for (const table of this.#tables) copied.push(await this.#copy(table));
    return copied;
  }

  /** Reads the target and compares. */
  async check(copied: readonly TableCopied[]): Promise<void> {
    this.#done = 0;
    const { target } = this.#options;
    const wrong = await target.snapshot(async (executor) => {
      const names: string[] = [];
      for (const table of [schemaCopy, ...this.#tables]) {
        const reader = await CheckedReader.open(executor, target.dialect, table);
        for (let rows = await reader.next(); rows !== undefined; rows = await reader.next())
          this.#report('checking', rows.length);
        const wanted = copied.find((each) => each.table === table.name);
        if (!Bun.deepEquals(summary(table, reader), wanted)) names.push(table.name);
      }
      return names;
    });
    if (wrong.length === 0) return;
    throw new TransferRefused(
      `The copy does not hold what the source holds, in ${wrong.join(', ')}: begin anew with --restart.`,
    );
  }

  async #copy(table: StoredTable): Promise<TableCopied> {
    const { target } = this.#options;
    const reader = await this.#reader(table);
    const writer = new TableWriter(target.dialect, table);
    let before = await this.#progress.of(target, table.name);
    await this.#readAgain(table, reader, before);
    for (let next = await reader.next(); next !== undefined; next = await reader.next()) {
      const rows = next;
      if (before.done) throw changed(`Table ${table.name} of the source`);
      const now = progressOf(reader, false);
      const known = before;
      await target.transaction(async (transaction) => {
        await this.#progress.note(transaction, table.name, now, known);
        await writer.write(transaction, rows);
      });
      before = now;
      this.#report('copying', rows.length);
    }
    if (!before.done) {
      const known = before;
      await target.transaction((transaction) =>
        this.#progress.note(transaction, table.name, progressOf(reader, true), known),
      );
    }
    return summary(table, reader);
  }

  /** The rows copied by an earlier run must be unchanged: the copy is of one snapshot, that of the last run. */
  async #readAgain(table: StoredTable, reader: CheckedReader, before: TableProgress): Promise<void> {
    while (reader.checksum.rows < before.rows) {
      const rows = await reader.next(before.rows - reader.checksum.rows);
      if (rows === undefined) break;
      this.#report('resuming', rows.length);
    }
    const { rows, digest } = reader.checksum;
    if (before !== notBegun && (rows !== before.rows || digest !== before.checksum))
      throw changed(`Table ${table.name} of the source`);
    this.resumed += rows;
  }

  #reader(table: StoredTable): Promise<CheckedReader> {
    return CheckedReader.open(this.#source.executor, this.#source.dialect, table);
  }

  #report(phase: string, rows: number): void {
    this.#done += rows;
    this.#options.progress(phase, this.#done, this.#total);
  }
}

const progressOf = ({ checksum }: CheckedReader, done: boolean): TableProgress => ({
  rows: checksum.rows,
  checksum: checksum.digest,
  done,
});

const summary = ({ name }: StoredTable, { checksum }: CheckedReader): TableCopied => ({
  table: name,
  rows: checksum.rows,
  checksum: checksum.digest,
});

const changed = (what: string): TransferRefused =>
  new TransferRefused(
    `${what} is no longer what it was when the copy was begun: begin anew with --restart, best with no service that writes to it.`,
  );
