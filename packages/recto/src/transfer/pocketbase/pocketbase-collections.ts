import type { Database } from 'bun:sqlite';
import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { TransferRefused } from '../transfer-refused.ts';

/** A field of a collection. `raw` has the options of its type. */
export interface PocketbaseField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly hidden: boolean;
  readonly system: boolean;
  readonly raw: Table;
}

export const ruleNames = ['listRule', 'viewRule', 'createRule', 'updateRule', 'deleteRule'] as const;
export type RuleName = (typeof ruleNames)[number];

export interface PocketbaseCollection {
  readonly id: string;
  readonly name: string;
  readonly type: 'base' | 'auth' | 'view';
  readonly fields: readonly PocketbaseField[];
  /** Null: superusers alone; empty: everyone. */
  readonly rules: Readonly<Record<RuleName, string | null>>;
  readonly indexes: readonly string[];
  readonly options: Table;
  /** Which columns its table has. */
  readonly columns: ReadonlySet<string>;
  readonly total: number;
}

/** The columns of a collection before version 0.23, which its schema did not name. */
const oldSystem: readonly Table[] = [
  { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
  { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
];
const oldAuth: readonly Table[] = [
  { name: 'username', type: 'text', required: true, system: false },
  { name: 'email', type: 'email', system: true },
  { name: 'emailVisibility', type: 'bool', system: true },
  { name: 'verified', type: 'bool', system: true },
];

/** The collections of an installation, in the order of their creation. Throws a `TransferRefused` where they cannot be read. */
export function readCollections(database: Database): readonly PocketbaseCollection[] {
  const tables = new Map(
    database
      .query<{ name: string; type: string; sql: string | null }, []>('SELECT name, type, sql FROM sqlite_master')
      .all()
      .map(({ name, type, sql }) => [name, { type, sql: sql ?? '' }]),
  );
  if (!tables.has('_collections')) throw new TransferRefused('It has no collections of PocketBase.');
  checkTable(database, '_collections', tables.get('_collections'));
  const rows = database.query<Record<string, unknown>, []>('SELECT * FROM _collections ORDER BY created, rowid').all();
  return rows.map((row): PocketbaseCollection => {
    const name = textOf(row.name);
    const type = row.type === 'auth' || row.type === 'view' ? row.type : 'base';
    if (type !== 'view') checkTable(database, name, tables.get(name));
    const options = tableOf(jsonOf(row.options));
    return {
      ...{ id: textOf(row.id), name, type, options, fields: fieldsOf(row, type) },
      rules: rulesOf(row),
      indexes: itemsOf(jsonOf(row.indexes)).filter((index) => typeof index === 'string'),
      columns: new Set(type === 'view' ? [] : columnsOf(database, name)),
      total: type === 'view' ? 0 : totalOf(database, name),
    };
  });
}

function fieldsOf(row: Record<string, unknown>, type: PocketbaseCollection['type']): readonly PocketbaseField[] {
  if (row.schema === undefined) return itemsOf(jsonOf(row.fields)).map((field) => fieldOf(tableOf(field)));
  const declared = itemsOf(jsonOf(row.schema)).map((field) => {
    const { options, ...rest } = tableOf(field);
    return fieldOf({ ...tableOf(options), ...rest });
  });
  const added = type === 'view' ? [] : [...(type === 'auth' ? oldAuth : []), ...oldSystem];
  return [...added.map(fieldOf), ...declared];
}

const fieldOf = (raw: Table): PocketbaseField => ({
  name: textOf(raw.name),
  type: textOf(raw.type),
  required: raw.required === true,
  hidden: raw.hidden === true,
  system: raw.system === true,
  raw,
});

function rulesOf(row: Record<string, unknown>): PocketbaseCollection['rules'] {
  const rule = (name: RuleName): string | null => (typeof row[name] === 'string' ? row[name] : null);
  return {
    listRule: rule('listRule'),
    viewRule: rule('viewRule'),
    createRule: rule('createRule'),
    updateRule: rule('updateRule'),
    deleteRule: rule('deleteRule'),
  };
}

interface TableEntry {
  readonly type: string;
  readonly sql: string;
}

/** Throws a `TransferRefused` for what is no table that only holds rows. */
function checkTable(database: Database, name: string, entry: TableEntry | undefined): void {
  // A virtual table or a view could run code of its own. SQLite writes these words in front of any other.
  if (entry?.type !== 'table' || !entry.sql.startsWith('CREATE TABLE '))
    throw new TransferRefused(`The collection ${name} has no table.`);
  const computed = database
    .query<{ name: string }, [string]>('SELECT name FROM pragma_table_xinfo(?) WHERE hidden > 0')
    .all(name);
  // A few bytes of a file could become gigabytes, row by row.
  if (computed.length > 0) throw new TransferRefused(`The collection ${name} has computed columns.`);
}

/** Names become parts of statements as identifiers alone. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const columnsOf = (database: Database, name: string): readonly string[] =>
  database
    .query<{ name: string }, [string]>('SELECT name FROM pragma_table_info(?)')
    .all(name)
    .map((column) => column.name);

const totalOf = (database: Database, name: string): number =>
  database.query<{ total: number }, []>(`SELECT count(*) AS total FROM ${identifier(name)}`).get()?.total ?? 0;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function jsonOf(value: unknown): JsonValue {
  if (typeof value !== 'string' || value === '') return null;
  try {
    return JSON.parse(value) as JsonValue;
  } catch (error) {
    throw new TransferRefused('Its collections are damaged: they hold no JSON.', error);
  }
}

const itemsOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const tableOf = (value: JsonValue | undefined): Table => (isTable(value) ? value : {});
