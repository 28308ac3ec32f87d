import { Database as BunDatabase } from 'bun:sqlite';
import { expect } from 'bun:test';
import { indexedColumn } from '../../../packages/recto/src/database/natural-order.ts';
import { listIndexName, setIndexNames } from '../../../packages/recto/src/database/schema-dialect.ts';
import {
  decodeSqlite,
  encodeSqlite,
  sqliteColumnTypes,
} from '../../../packages/recto/src/database/sqlite/sqlite-values.ts';
import { languagesTable } from '../../../packages/recto/src/definition/languages/languages-table.ts';
import { accountsTable, profileSingular } from '../../../packages/recto/src/definition/profile/profile-type.ts';
import {
  languagesIndexes,
  languagesSpecs,
  saidSpecs,
} from '../../../packages/recto/src/migrations/storage/languages-storage.ts';
import { type RememberedType, readStoredSchema } from '../../../packages/recto/src/migrations/storage/stored-schema.ts';
import { indexedWords, type StoredStructure } from '../../../packages/recto/src/migrations/storage/stored-structure.ts';
import type { FieldStorage } from '../../../packages/recto/src/migrations/storage/type-storage.ts';

/**
 * Holds a SQLite file against what it remembers of its own schema: the file is whole, every table, column, reference and index
 * that is remembered is there and no other, every value is one of its column's kind, and every search index has the words of
 * its records. Throws what differs.
 */
export async function expectSchemaAgrees(path: string): Promise<void> {
  using file = new BunDatabase(path, { strict: true, readonly: true });
  expect(all(file, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(all(file, 'PRAGMA foreign_key_check')).toEqual([]);
  const stored = await readStoredSchema({
    rows: <Row>({ sql }: { readonly sql: string }) => file.query<Row, []>(sql).all(),
    first: () => undefined,
    run: () => 0,
  });
  const tableOf = (type: string): string =>
    type === profileSingular ? accountsTable : (stored.get(type)?.storage.table ?? `no table of ${type}`);
  const wanted = [...stored.values()].flatMap((type) => tablesOf(type, tableOf));
  expect(actualTables(file)).toEqual(wanted.toSorted((a, b) => (a.table < b.table ? -1 : 1)));
  expect(actualIndexes(file)).toEqual([...stored.values()].flatMap(indexesOf).toSorted());
  const searched = [...stored.values()].filter(({ storage }) => storage.search.length > 0);
  expect(searchTables(file)).toEqual(searched.map(({ storage }) => `${storage.table}$search`).toSorted());
  for (const type of stored.values()) expectValues(file, type);
  for (const type of searched) expectWords(path, file, type);
}

interface Table {
  readonly table: string;
  /** `name type`, in the order of the names, with ` → table` for a reference. */
  readonly columns: readonly string[];
}

const fieldsOf = ({ storage, dormant }: RememberedType): readonly (readonly [string, FieldStorage])[] => [
  ...Object.entries(storage.fields),
  ...Object.entries(dormant),
];

function tablesOf(type: RememberedType, tableOf: (type: string) => string): readonly Table[] {
  const { table } = type.storage;
  const columns = ['$row INTEGER', 'id TEXT', ...saidSpecs(type.storage.languages).map(({ name }) => `${name} TEXT`)];
  const junctions: Table[] = [];
  for (const [, field] of fieldsOf(type)) {
    if (field.shape === 'column') columns.push(`${field.column} ${sqliteColumnTypes[field.kind]}`);
    else if (field.shape === 'to_one') columns.push(`${field.column} TEXT → ${tableOf(field.target)}`);
    else {
      const ends = [`source_id TEXT → ${table}`, `target_id TEXT → ${tableOf(field.target)}`];
      junctions.push({ table: field.junction, columns: ['position INTEGER', ...ends] });
    }
  }
  return [{ table, columns: columns.toSorted() }, ...junctions, ...languagesOf(type)];
}

/** The table with the values in other languages. */
function languagesOf({ storage, dormantLanguages }: RememberedType): readonly Table[] {
  if (storage.languages === undefined && dormantLanguages === undefined) return [];
  const columns = languagesSpecs(storage.languages, dormantLanguages).map(
    ({ name, kind }) => `${name} ${sqliteColumnTypes[kind]}`,
  );
  const own = [`$record TEXT → ${storage.table}`, '$language TEXT', '$changed_at TEXT', '$outdated INTEGER'];
  return [{ table: languagesTable(storage), columns: [...own, ...columns].toSorted() }];
}

function languageIndexesOf({ storage }: RememberedType): readonly string[] {
  const table = languagesTable(storage);
  return languagesIndexes(storage.languages).map(({ unique, columns }) =>
    unique
      ? `${setIndexNames(table, columns)[0]} on ${table} (${columns.join()}) unique`
      : `${listIndexName(table, columns)} on ${table} (${named(columns).join()})`,
  );
}

function actualTables(file: BunDatabase): readonly Table[] {
  const names = all<{ name: string }>(
    file,
    `SELECT name FROM pragma_table_list WHERE type = 'table' AND name LIKE 'cms\\_%' ESCAPE '\\' ORDER BY name`,
  );
  return names.map(({ name: table }) => {
    const references = new Map(
      all<{ from: string; table: string }>(file, `SELECT "from", "table" FROM pragma_foreign_key_list('${table}')`).map(
        (key) => [key.from, key.table],
      ),
    );
    const columns = all<{ name: string; type: string }>(file, `SELECT name, type FROM pragma_table_info('${table}')`);
    return {
      table,
      columns: columns
        .map(({ name, type }) => `${name} ${type}${references.has(name) ? ` → ${references.get(name)}` : ''}`)
        .toSorted(),
    };
  });
}

function indexesOf(type: RememberedType): readonly string[] {
  const { table, lists = [], sets = [] } = type.storage;
  const ofLists = lists.map((columns) => `${listIndexName(table, columns)} on ${table} (${named(columns).join()})`);
  const ofSets = sets.flatMap(({ columns, within }) => {
    const [all, rest] = setIndexNames(table, columns);
    return within === undefined
      ? [`${all} on ${table} (${columns.join()}) unique`]
      : [
          `${all} on ${table} (${[within, ...columns].join()}) unique`,
          `${rest} on ${table} (${columns.join()}) unique`,
        ];
  });
  const ofFields = fieldsOf(type).flatMap(([, field]) => {
    if (field.shape === 'to_many') return [`${field.junction}$target_id$index on ${field.junction} (target_id)`];
    if (!field.unique && field.shape === 'column' && field.files !== true) return [];
    if (field.within !== undefined)
      return [
        `${table}$${field.column}$unique on ${table} (${field.within},${field.column}) unique`,
        `${table}$${field.column}$rest on ${table} (${field.column}) unique`,
      ];
    const { column } = field;
    return [
      field.unique
        ? `${table}$${column}$unique on ${table} (${column}) unique`
        : `${table}$${column}$index on ${table} (${column},id)`,
    ];
  });
  return [...ofLists, ...ofSets, ...ofFields, ...languageIndexesOf(type)];
}

/** SQLite has no name for an expression. */
const named = (columns: readonly string[]): readonly string[] =>
  columns.filter((column) => !indexedColumn(column).isNatural);

function actualIndexes(file: BunDatabase): readonly string[] {
  return all<{ name: string; table: string; unique: number; columns: string }>(
    file,
    `SELECT i.name, t.name AS "table", i."unique", (SELECT group_concat(name) FROM pragma_index_info(i.name)) AS columns
    FROM pragma_table_list AS t, pragma_index_list(t.name) AS i
    WHERE t.type = 'table' AND t.name LIKE 'cms\\_%' ESCAPE '\\' AND i.origin = 'c'`,
  )
    .map(({ name, table, unique, columns }) => `${name} on ${table} (${columns})${unique === 1 ? ' unique' : ''}`)
    .toSorted();
}

const searchTables = (file: BunDatabase): readonly string[] =>
  all<{ name: string }>(
    file,
    `SELECT name FROM pragma_table_list WHERE type = 'virtual' AND name LIKE 'cms\\_%' ESCAPE '\\' ORDER BY name`,
  ).map(({ name }) => name);

/** A value that is stored as another kind would be decoded and encoded to something else. */
function expectValues(file: BunDatabase, type: RememberedType): void {
  for (const [name, field] of fieldsOf(type)) {
    if (field.shape !== 'column') continue;
    const column = field.column.replaceAll('"', '""');
    const query = file.query<{ value: string | number | bigint }, []>(
      `SELECT "${column}" AS value FROM "${type.storage.table}" WHERE "${column}" IS NOT NULL`,
    );
    const rows = field.kind === 'bigint' ? query.safeIntegers(true).all() : query.all();
    const other = rows.filter(({ value }) => encodeSqlite(field.kind, decodeSqlite(field.kind, value)) !== value);
    expect({ field: `${type.storage.table}.${name}`, other }).toEqual({
      field: `${type.storage.table}.${name}`,
      other: [],
    });
  }
}

function wordsOf(
  structure: StoredStructure | undefined,
  stored: string | number | null | undefined,
): readonly string[] {
  const value = structure === undefined || typeof stored !== 'string' ? stored : JSON.parse(stored);
  return indexedWords(structure, value)
    .split(' ')
    .filter((word) => word !== '');
}

/** Which words stand where: https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module. */
function expectWords(path: string, file: BunDatabase, { storage }: RememberedType): void {
  const { table, search } = storage;
  using memory = new BunDatabase(':memory:');
  memory.run(`ATTACH '${path.replaceAll("'", "''")}' AS stored`);
  memory.run(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('stored', '${table}$search', 'instance')`);
  const actual = all<{ doc: number; col: string; term: string; offset: number }>(
    memory,
    'SELECT doc, col, term, "offset" FROM vocabulary',
  ).map(({ doc, col, term, offset }) => `${doc} ${col} ${offset} ${term}`);
  const columns = search.map((name) => {
    const field = storage.fields[name];
    const isColumn = field?.shape === 'column';
    return { name, column: isColumn ? field.column : name, structure: isColumn ? field.structure : undefined };
  });
  const records = all<Record<string, string | number | null>>(file, `SELECT * FROM "${table}"`);
  const wanted = records.flatMap((record) =>
    columns.flatMap(({ name, column, structure }) =>
      wordsOf(structure, record[column]).map((word, offset) => `${record.$row} f_${name} ${offset} ${word}`),
    ),
  );
  expect(actual.toSorted()).toEqual(wanted.toSorted());
}

const all = <Row>(file: BunDatabase, sql: string): Row[] => file.query<Row, []>(sql).all();
