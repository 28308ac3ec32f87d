import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { storedChunks } from '../../storage/storage.ts';
import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { recordTexts } from '../json/record-texts.ts';
import { StagingFile } from '../staging-file.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { Evidence } from './directus-evidence.ts';
import { type DirectusCollection, type DirectusSchema, inverseOf, schemaOf } from './directus-schema.ts';

/** A row of a collection, with its place in its file. */
export interface DirectusRow {
  readonly line: number;
  readonly values: Table;
}

/** A project that was opened. */
export interface DirectusSource extends Disposable {
  readonly schema: DirectusSchema;
  /** By collection. */
  readonly evidence: ReadonlyMap<string, Evidence>;
  readonly users: readonly Table[];
  readonly files: ReadonlyMap<string, Table>;
  readonly folders: readonly Table[];
  readonly permissions: readonly Table[];
  readonly policies: readonly Table[];
  readonly access: readonly Table[];
  readonly roles: readonly Table[];
  readonly settings: Table;
  /** The folder of files. */
  readonly assets: string;
  /** The rows of a collection, in the order of its file. */
  rows(collection: string): AsyncIterable<DirectusRow>;
  /** How many rows say something in a language in which another row of the same record says something. */
  repeated(translations: { readonly collection: string; readonly parent: string; readonly language: string }): number;
  /** The rows of a collection that belong to a record of another, in their order. */
  inner(collection: string, parent: string, id: string): readonly Table[];
}

const snapshots = ['schema/snapshot.json', 'schema/snapshot.yaml', 'snapshot.json', 'snapshot.yaml'];
/** Descriptions of a project are read whole. */
const mostBytes = 64 * 1024 * 1024;
/** Schemas and settings that nobody has written by hand have fewer. */
const tables = [
  'CREATE TABLE inner_rows (number INTEGER PRIMARY KEY, collection TEXT, field TEXT, parent TEXT, sort REAL, content TEXT)',
  'CREATE INDEX inner_by_parent ON inner_rows (collection, field, parent, sort, number)',
];

/** A file and no link, so that nothing outside of the folder is read. */
const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

function rootOf(path: string): { readonly root: string; readonly snapshot: string } | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  for (const root of [path, join(path, 'src')]) {
    const snapshot = snapshots.map((name) => join(root, name)).find(isFile);
    if (snapshot !== undefined) return { root, snapshot };
  }
  return undefined;
}

export const isDirectus = (path: string): boolean => rootOf(path) !== undefined;

/** Opens a folder. Throws a `TransferRefused` for what is no project of Directus, or a damaged one. */
export async function openDirectus(
  path: string,
  workFolder: string,
  media: string | undefined,
): Promise<DirectusSource> {
  const found = rootOf(path);
  if (found === undefined)
    throw new TransferRefused(`${path} is no project of Directus: it has no schema/snapshot.json or snapshot.yaml.`);
  const { root, snapshot } = found;
  const schema = schemaOf(await parsedFile(snapshot), snapshot);
  const list = async (name: string): Promise<readonly Table[]> => {
    const file = join(root, name);
    const value = isFile(file) ? await parsedFile(file) : [];
    return Array.isArray(value) ? value.filter(isTable) : [];
  };
  const files = await list('files.json');
  const settings = isFile(join(root, 'settings.json')) ? await parsedFile(join(root, 'settings.json')) : {};
  const staging = new StagingFile(workFolder, tables);
  try {
    const evidence = await lookThrough(root, schema, staging);
    const select = staging.database.prepare<{ content: string }, [string, string, string]>(
      'SELECT content FROM inner_rows WHERE collection = ? AND field = ? AND parent = ? ORDER BY sort, number',
    );
    return {
      ...{ schema, evidence, files: new Map(files.map((file) => [String(file.id), file])) },
      ...{ users: await list('users.json'), folders: await list('folders.json'), roles: await list('roles.json') },
      ...{ permissions: await list('permissions.json'), policies: await list('policies.json') },
      ...{ access: await list('access.json'), settings: isTable(settings) ? settings : {} },
      assets: media ?? assetsIn(root),
      repeated: ({ collection, parent, language }) =>
        staging.database
          .query<{ count: number }, [string, string, string]>(
            `SELECT count(*) - count(DISTINCT json_array(parent, content -> ?1)) AS count FROM inner_rows
              WHERE collection = ?2 AND field = ?3 AND parent <> ''`,
          )
          .get(`$.${JSON.stringify(language)}`, collection, parent)?.count ?? 0,
      rows: (collection) => rowsOf(root, schema.collections.get(collection)),
      inner: (collection, field, parent) =>
        // True because `lookThrough` writes them.
        select.all(collection, field, parent).map(({ content }) => JSON.parse(content) as Table),
      [Symbol.dispose]: () => {
        select.finalize();
        staging[Symbol.dispose]();
      },
    };
  } catch (error) {
    staging[Symbol.dispose]();
    throw error;
  }
}

/** A link in a folder that comes from somewhere could name any folder. */
function assetsIn(root: string): string {
  const assets = join(root, 'assets');
  if (lstatSync(assets, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return assets;
  throw new TransferRefused(`${assets} is a link. Name the folder that it leads to: --media FOLDER.`);
}

async function parsedFile(path: string): Promise<JsonValue> {
  const file = Bun.file(path);
  if (file.size > mostBytes) throw new TransferRefused(`${path} is larger than ${mostBytes / 1024 / 1024} MiB.`);
  const text = decoded(await file.bytes(), path);
  try {
    // True because both give what JSON has.
    return (path.endsWith('.yaml') ? Bun.YAML.parse(text) : JSON.parse(text)) as JsonValue;
  } catch (error) {
    throw new TransferRefused(`${path} is damaged: ${error instanceof Error ? error.message : String(error)}.`, error);
  }
}

function decoded(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new TransferRefused(`${path} is no text in UTF-8.`, error);
  }
}

async function* rowsOf(root: string, collection: DirectusCollection | undefined): AsyncGenerator<DirectusRow> {
  if (collection === undefined || !/^[\w-]+$/.test(collection.name)) return;
  const path = join(root, 'content', `${collection.name}.json`);
  if (!isFile(path)) return;
  if (collection.isSingle) {
    const value = await parsedFile(path);
    const rows = Array.isArray(value) ? value : [value];
    for (const values of rows) if (isTable(values)) yield { line: 1, values };
    return;
  }
  for await (const { text, line } of recordTexts(storedChunks(Bun.file(path)), path, () => {}))
    yield { line, values: rowOf(text, `${path}:${line}`) };
}

function rowOf(text: string, place: string): Table {
  try {
    const value: unknown = JSON.parse(text);
    // True because it was JSON.
    if (isTable(value as JsonValue)) return value as Table;
  } catch {
    // Reported below.
  }
  throw new TransferRefused(`${place} is no JSON object.`);
}

/** The fields by which rows belong to records of other collections. */
function innerFields(schema: DirectusSchema): ReadonlyMap<string, ReadonlySet<string>> {
  const parents = new Map<string, Set<string>>();
  for (const { name, fields } of schema.collections.values()) {
    for (const field of fields) {
      const inverse = inverseOf(schema, name, field);
      if (inverse === undefined || inverse.kind === 'back') continue;
      parents.set(inverse.collection, (parents.get(inverse.collection) ?? new Set()).add(inverse.parent));
    }
  }
  return parents;
}

/** Counts the rows, looks at their values, and keeps apart what belongs to records of other collections. */
async function lookThrough(
  root: string,
  schema: DirectusSchema,
  { database }: StagingFile,
): Promise<ReadonlyMap<string, Evidence>> {
  const parents = innerFields(schema);
  const insert = database.prepare(
    'INSERT INTO inner_rows (collection, field, parent, sort, content) VALUES (?, ?, ?, ?, ?)',
  );
  const found = new Map<string, Evidence>();
  database.run('BEGIN');
  for (const collection of schema.collections.values()) {
    const evidence = new Evidence(collection);
    found.set(collection.name, evidence);
    for await (const { values } of rowsOf(root, collection)) {
      evidence.add(values);
      for (const field of parents.get(collection.name) ?? []) {
        const sort = values[collection.sortField ?? 'sort'];
        insert.run(
          ...[collection.name, field, String(values[field] ?? ''), typeof sort === 'number' ? sort : null],
          JSON.stringify(values),
        );
      }
    }
  }
  insert.finalize();
  database.run('COMMIT');
  return found;
}
