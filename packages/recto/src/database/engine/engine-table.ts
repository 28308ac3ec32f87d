import type { SqlValue } from '../../base/bindings.ts';
import type { ValueKind } from '../../values/value-kind.ts';
import type { Executor } from '../database.ts';
import type { Dialect } from '../dialect.ts';

export interface EngineColumn {
  /** The kind of the column's values, in which they are copied between databases. */
  readonly kind: ValueKind;
  /** The column's type where it is not the dialect's for the kind; the same on every database. */
  readonly type?: string;
  readonly nullable?: true;
  /** Two nulls do not count as equal. */
  readonly unique?: true;
  /** The database numbers new rows, rising. Such a table is written by `Transaction.append` alone, and its last row is never removed. */
  readonly numbered?: true;
}

export interface EngineIndex {
  readonly name: string;
  readonly columns: readonly string[];
}

/** What a migration of one table works with, in the transaction of the opening. */
export interface EngineChange {
  readonly executor: Executor;
  readonly dialect: Dialect;
  hasColumn(name: string): Promise<boolean>;
  /** Adds a column as the table declares it. */
  addColumn(name: string): Promise<void>;
  /** Makes an index that the table declares. */
  createIndex(name: string): Promise<void>;
}

/** A forward step from one shape of a table to the next. There is no way back. */
export interface EngineMigration {
  /** The state of the installation that the step leads to. Unique among all tables of a registry, and without gaps from 1. */
  readonly number: number;
  /** True: rows of the earlier shape are right in this one, with null where a column is new, so that they can be copied as they are. */
  readonly additive?: true;
  /** Runs in the transaction that opens the database, before anything else uses the table. */
  up(change: EngineChange): Promise<void>;
}

/** A table that the engine itself needs, in its present shape. */
export interface EngineTable {
  readonly name: string;
  /** Columns of the primary key, texts and integers, in whose order rows are copied. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, EngineColumn>>;
  readonly indexes: readonly EngineIndex[];
  /** False: each database makes its own rows, and no copy takes them along. */
  readonly copy: boolean;
  /** Rows of a new table. */
  readonly rows: readonly Readonly<Record<string, SqlValue>>[];
  /** How installations with an earlier shape get to this one. A database without the table gets this shape at once. */
  readonly migrations: readonly EngineMigration[];
}

/** `Row` has the names of the columns. */
export type EngineTableOptions<Row> = Pick<EngineTable, 'name' | 'migrations'> &
  Partial<Pick<EngineTable, 'copy' | 'rows'>> & {
    readonly key: readonly (keyof Row & string)[];
    readonly columns: Readonly<Record<keyof Row & string, EngineColumn>>;
    readonly indexes?: readonly { readonly name: string; readonly columns: readonly (keyof Row & string)[] }[];
  };

export const defineEngineTable = <Row>(table: EngineTableOptions<Row>): EngineTable => ({
  indexes: [],
  copy: true,
  rows: [],
  ...table,
});

/** Plain columns of the engine, whose types are the same words in every database. */
export const plainText = { kind: 'text', type: 'text' } as const satisfies EngineColumn;
export const plainInteger = { kind: 'integer', type: 'integer' } as const satisfies EngineColumn;
