import { Database } from 'bun:sqlite';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

type Value = string | number | null;

export interface PocketbaseField {
  readonly name: string;
  readonly type: string;
  readonly [option: string]: unknown;
}

/** A collection as a test declares it; its id is its name with `_id`. */
export interface TestCollection {
  readonly type?: 'base' | 'auth' | 'view';
  readonly fields?: readonly PocketbaseField[];
  readonly rules?: Readonly<
    Partial<Record<'listRule' | 'viewRule' | 'createRule' | 'updateRule' | 'deleteRule', string | null>>
  >;
  readonly indexes?: readonly string[];
  readonly options?: Readonly<Record<string, unknown>>;
  readonly rows?: readonly Readonly<Record<string, Value>>[];
}

const created = { name: 'created', type: 'autodate', onCreate: true, onUpdate: false };
const updated = { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true };
const id = { name: 'id', type: 'text', system: true, required: true };
const ofAccounts = [
  { name: 'password', type: 'password', system: true, hidden: true },
  { name: 'tokenKey', type: 'text', system: true, hidden: true },
  { name: 'email', type: 'email', system: true },
  { name: 'emailVisibility', type: 'bool', system: true },
  { name: 'verified', type: 'bool', system: true },
];

/** A data folder of PocketBase, as version 0.23 and later write it. */
export class PocketbaseFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'recto-pocketbase-'));

  constructor(
    collections: Readonly<Record<string, TestCollection>>,
    /** By their paths below `storage/`, such as `posts_id/p1/cat.png`. */
    files: Readonly<Record<string, string | Uint8Array>> = {},
  ) {
    using database = new Database(join(this.path, 'data.db'), { create: true });
    database.run('PRAGMA synchronous = OFF');
    database.run('PRAGMA journal_mode = OFF');
    database.run(`CREATE TABLE _collections (id TEXT PRIMARY KEY, system BOOLEAN, type TEXT, name TEXT UNIQUE, fields JSON, indexes JSON,
      listRule TEXT, viewRule TEXT, createRule TEXT, updateRule TEXT, deleteRule TEXT, options JSON, created TEXT, updated TEXT)`);
    for (const [name, collection] of Object.entries(collections)) addCollection(database, name, collection);
    for (const [name, bytes] of Object.entries(files)) this.write(`storage/${name}`, bytes);
  }

  write(name: string, bytes: string | Uint8Array): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }

  /** Adds a row to a collection. */
  add(collection: string, row: Readonly<Record<string, Value>>): void {
    using database = new Database(join(this.path, 'data.db'));
    insert(database, collection, row);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

function addCollection(database: Database, name: string, collection: TestCollection): void {
  const { type = 'base', fields = [], rules = {}, indexes = [], options = {}, rows = [] } = collection;
  const all = [id, ...(type === 'auth' ? ofAccounts : []), ...fields, created, updated];
  database
    .prepare('INSERT INTO _collections VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      ...[`${name}_id`, type, name, JSON.stringify(all), JSON.stringify(indexes)],
      ...[rules.listRule ?? null, rules.viewRule ?? null, rules.createRule ?? null],
      ...[rules.updateRule ?? null, rules.deleteRule ?? null],
      ...[JSON.stringify(options), '2024-01-01 00:00:00.000Z', '2024-01-01 00:00:00.000Z'],
    );
  if (type === 'view') return;
  database.run(`CREATE TABLE ${quoted(name)} (${all.map((field) => quoted(field.name)).join(', ')})`);
  for (const row of rows) insert(database, name, row);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function insert(database: Database, collection: string, row: Readonly<Record<string, Value>>): void {
  const times = { created: '2024-05-01 10:00:00.000Z', updated: '2024-05-02 10:00:00.000Z' };
  const values = Object.entries({ ...times, ...row });
  const names = values.map(([name]) => quoted(name)).join(', ');
  const marks = values.map(() => '?').join(', ');
  database
    .prepare(`INSERT INTO ${quoted(collection)} (${names}) VALUES (${marks})`)
    .run(...values.map(([, value]) => value));
}
