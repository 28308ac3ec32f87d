import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FileFetcher } from '../../media/fetched-file.ts';
import { storedChunks } from '../../storage/storage.ts';
import type { ReadOptions } from '../importers/importer.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { GhostTables } from './ghost-tables.ts';
import { jsonItems } from './json-items.ts';

/** An export of Ghost that was read into tables. */
export interface GhostSource extends Disposable {
  readonly tables: GhostTables;
  /** The name of its file, for messages. */
  readonly file: string;
  /** The version of Ghost that wrote it; empty: it does not say. */
  readonly version: string;
  /** Where files are looked for. */
  readonly folder: string;
  /** Whether somebody has named that folder; otherwise it is the one of the export. */
  readonly isNamed: boolean;
  /** Fetches the others from the site. */
  readonly fetcher: FileFetcher | undefined;
}

const begins = /"(?:meta"\s*:\s*\{[^}]*"exported_on"|exported_on"\s*:)/;

/** Whether a file begins as an export does. */
export function isGhost(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return exportsIn(path).length === 1;
  return found?.isFile() === true && begins.test(firstText(path));
}

function firstText(path: string): string {
  const bytes = new Uint8Array(4096);
  const file = openSync(path, 'r');
  try {
    return new TextDecoder().decode(bytes.subarray(0, readSync(file, bytes)));
  } finally {
    closeSync(file);
  }
}

/** How ZIP and gzip begin. */
const packed = ['PK\u0003\u0004', '\u001f'];

const exportsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map(({ name }) => join(folder, name))
    .filter((path) => begins.test(firstText(path)))
    .sort();

function exportAt(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new TransferRefused(`There is no file ${path}.`);
  if (found.isFile()) return path;
  if (!found.isDirectory()) throw new TransferRefused(`${path} is neither a file nor a folder.`);
  const [first, ...others] = exportsIn(path);
  if (first === undefined) throw new TransferRefused(`${path} has no export of Ghost: a file that ends in .json.`);
  if (others.length === 0) return first;
  throw new TransferRefused(`${path} has several exports: name one of ${[first, ...others].join(', ')}.`);
}

/** Reads an export. Throws a `TransferRefused` for a file that is damaged, or none. */
export async function openGhost(path: string, { workFolder, media, fetcher }: ReadOptions): Promise<GhostSource> {
  const at = exportAt(path);
  const file = basename(at);
  if (packed.some((begin) => firstText(at).startsWith(begin)))
    throw new TransferRefused(`${at} is packed. Unpack it, and name the folder.`);
  const tables = new GhostTables(workFolder);
  try {
    let version = '';
    for await (const item of jsonItems(storedChunks(Bun.file(at)), file, isWanted)) {
      const [name = ''] = item.path.slice(-1);
      if (name === 'meta') version = versionOf(item.text) ?? version;
      else tables.add(name, item, file);
    }
    if (!tables.counts.has('posts'))
      throw new TransferRefused(`${at} is no export of Ghost: it has no posts at db[0].data.posts.`);
    return {
      ...{ tables, file, version, fetcher, folder: media ?? dirname(at), isNamed: media !== undefined },
      [Symbol.dispose]: () => tables[Symbol.dispose](),
    };
  } catch (error) {
    tables[Symbol.dispose]();
    throw error;
  }
}

/** The rows of tables are at `db[0].data` or `data`, beside `meta`. */
function isWanted(path: readonly string[]): boolean {
  const inside = path[0] === 'db' ? path.slice(1) : path;
  return inside.length === 1 ? inside[0] === 'meta' : inside.length === 2 && inside[0] === 'data';
}

function versionOf(text: string): string | undefined {
  try {
    const version: unknown = Reflect.get(Object(JSON.parse(text)), 'version');
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}
