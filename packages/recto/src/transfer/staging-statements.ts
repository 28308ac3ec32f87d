import type { Database as BunDatabase, Statement } from 'bun:sqlite';
import { StagingFile } from './staging-file.ts';

type StagedValue = string | number | null;

/** A staging file in one transaction, with its statements, each prepared once. */
export class StagingStatements implements Disposable {
  readonly #file: StagingFile;
  readonly #statements = new Map<string, Statement>();

  /** As `StagingFile`. */
  constructor(folder: string, tables: readonly string[]) {
    this.#file = new StagingFile(folder, tables);
    this.database.run('BEGIN');
  }

  [Symbol.dispose](): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    this.#file[Symbol.dispose]();
  }

  get database(): BunDatabase {
    return this.#file.database;
  }

  /** Returns whether anything was changed. */
  run(sql: string, ...values: StagedValue[]): boolean {
    return this.#statement(sql).run(...values).changes > 0;
  }

  all<Row>(sql: string, ...values: StagedValue[]): readonly Row[] {
    // The columns are those that the statement names.
    return this.#statement(sql).all(...values) as Row[];
  }

  /** The first row; undefined: there is none. */
  first<Row>(sql: string, ...values: StagedValue[]): Row | undefined {
    // The columns are those that the statement names.
    return (this.#statement(sql).get(...values) as Row | null) ?? undefined;
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}
