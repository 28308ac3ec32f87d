import type { Executor } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import { columnStatement, creation, indexStatement } from './engine-statements.ts';
import type { EngineChange, EngineTable } from './engine-table.ts';

export class TableChange implements EngineChange {
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly #table: EngineTable;

  constructor(table: EngineTable, executor: Executor, dialect: Dialect) {
    this.#table = table;
    this.executor = executor;
    this.dialect = dialect;
  }

  async hasColumn(name: string): Promise<boolean> {
    return (await tableColumns(this.executor, this.dialect, this.#table.name)).has(name);
  }

  async addColumn(name: string): Promise<void> {
    const shape = this.#table.columns[name];
    if (shape === undefined) throw new Error(`${this.#table.name} declares no column ${name}.`);
    await this.executor.run(columnStatement(this.#table, name, shape, this.dialect));
  }

  async createIndex(name: string): Promise<void> {
    const index = this.#table.indexes.find((each) => each.name === name);
    if (index === undefined) throw new Error(`${this.#table.name} declares no index ${name}.`);
    await this.executor.run(indexStatement(this.#table, index, this.dialect));
  }
}

/** Makes a table as it is declared. */
export async function createTable(table: EngineTable, executor: Executor, dialect: Dialect): Promise<void> {
  for (const query of creation(table, dialect)) await executor.run(query);
}

/** The names of the columns that a table has; none where it is not there. */
export async function tableColumns(executor: Executor, dialect: Dialect, table: string): Promise<ReadonlySet<string>> {
  const rows = await executor.rows<{ name: string }>(dialect.schema.columns(table));
  return new Set(rows.map(({ name }) => name));
}
