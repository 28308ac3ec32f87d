import { createWriteStream, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileFetcher } from '../../media/fetched-file.ts';
import { storedChunks } from '../../storage/storage.ts';
import { tarEntries } from '../archive/tar-file.ts';
import type { ReadOptions } from '../importers/importer.ts';
import { recordTexts } from '../json/record-texts.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { tarBytes } from './strapi-bytes.ts';
import { StrapiTables } from './strapi-tables.ts';

/** An export of Strapi that was read. */
export interface StrapiSource extends Disposable {
  readonly tables: StrapiTables;
  readonly version: string;
  /** The file of an upload by its name in Strapi, such as `cat_1cde9d75b1.png`. */
  fileNamed(name: string): string | undefined;
  readonly fetcher: FileFetcher | undefined;
}

/** Whether a path looks like an export: only its name says so of one that is encrypted. */
export function isStrapi(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true)
    return ['schemas', 'entities'].every((name) => statSync(join(path, name), { throwIfNoEntry: false }) !== undefined);
  return found?.isFile() === true && /\.tar(?:\.gz)?(?:\.enc)?$/.test(path) && /export|strapi/.test(basename(path));
}

/** A file of an export, whatever it came in. */
interface ExportFile {
  readonly name: string;
  readonly isFile: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Reads an export. Throws a `TransferRefused` for one that is damaged, or none. */
export async function openStrapi(
  path: string,
  { workFolder, media, fetcher, key }: ReadOptions,
): Promise<StrapiSource> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new TransferRefused(`There is no file ${path}.`);
  if (!found.isFile() && !found.isDirectory()) throw new TransferRefused(`${path} is neither a file nor a folder.`);
  mkdirSync(workFolder, { recursive: true, mode: 0o700 });
  const uploads = mkdtempSync(join(workFolder, 'transfer-'));
  const tables = new StrapiTables(workFolder);
  const end = (): void => {
    tables[Symbol.dispose]();
    rmSync(uploads, { recursive: true, force: true });
  };
  try {
    const files = found.isDirectory() ? filesOfFolder(path) : filesOfArchive(path, key);
    const { names, version } = await readFiles(files, tables, uploads);
    if (tables.schemas.size === 0) throw new TransferRefused(`${path} is no export of Strapi: it has no schemas.`);
    tables.complete();
    const fileNamed = (name: string): string | undefined => names.get(name) ?? inFolder(media, name);
    return { tables, version, fetcher, fileNamed, [Symbol.dispose]: end };
  } catch (error) {
    end();
    throw error;
  }
}

/** Notes the rows of an export, and keeps its uploads under names that are no names of theirs. */
async function readFiles(files: AsyncIterable<ExportFile>, tables: StrapiTables, uploads: string) {
  const names = new Map<string, string>();
  let version = '';
  for await (const file of files) {
    const [folder = ''] = file.name.split('/');
    if (file.name === 'metadata.json') version = versionOf(await textOfFile(file));
    else if (folder === 'assets') {
      const at = join(uploads, String(names.size));
      await pipeline(Readable.from(file.bytes), createWriteStream(at, { flags: 'wx', mode: 0o600 }));
      names.set(basename(file.name), at);
    } else {
      for await (const { text, line } of recordTexts(file.bytes, file.name, () => {}))
        tables.add(folder, text, { file: file.name, line });
    }
  }
  return { names, version };
}

/** What an export consists of. */
const known = /^(?:metadata\.json|(?:schemas|entities|links|configuration)\/[\w.-]+\.jsonl|assets\/uploads\/[^/]+)$/;

async function* filesOfArchive(path: string, key: string | undefined): AsyncGenerator<ExportFile, void, undefined> {
  try {
    for await (const { name, isFile, bytes } of tarEntries(tarBytes(path, key)))
      yield* checked({ name: name.replace(/^\.\//, ''), isFile, bytes: storedChunks(bytes) });
  } catch (error) {
    if (error instanceof TransferRefused) throw error;
    if (isOfSystem(error)) throw error;
    throw new TransferRefused(`${path} is damaged: ${Object(error).message}.`, error);
  }
}

/** An error of the disk is none of the archive. */
const isOfSystem = (error: unknown): boolean => /^E[A-Z]+$/.test(String(Object(error).code));

async function* checked(file: ExportFile): AsyncGenerator<ExportFile, void, undefined> {
  const { name, isFile } = file;
  if (name.split('/').includes('..') || name.startsWith('/'))
    throw new TransferRefused(`The archive has a path that leads out of it: ${name}.`);
  if (!isFile && !name.endsWith('/')) throw new TransferRefused(`The archive has a link: ${name}.`);
  if (isFile && known.test(name)) yield file;
  // A body that is cancelled holds up what follows it.
  else for await (const _ of file.bytes);
}

async function* filesOfFolder(path: string): AsyncGenerator<ExportFile, void, undefined> {
  const folders = ['', 'schemas', 'entities', 'links', 'configuration', 'assets/uploads'];
  for (const folder of folders) {
    const at = join(path, folder);
    if (statSync(at, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    if (lstatSync(at).isSymbolicLink()) throw new TransferRefused(`${at} is a link.`);
    for (const entry of readdirSync(at, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // A link in a folder that comes from somewhere could name any file.
      if (entry.isFile() && known.test(name))
        yield { name, isFile: true, bytes: storedChunks(Bun.file(join(at, entry.name))) };
    }
  }
}

function inFolder(folder: string | undefined, name: string): string | undefined {
  if (folder === undefined || /[/\\\0]/.test(name) || name.startsWith('.')) return undefined;
  const at = join(folder, name);
  return lstatSync(at, { throwIfNoEntry: false })?.isFile() === true ? at : undefined;
}

const longestMetadata = 1024 * 1024;

async function textOfFile({ bytes, name }: ExportFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > longestMetadata) throw new TransferRefused(`${name} is too long.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function versionOf(text: string): string {
  try {
    const version: unknown = Reflect.get(Object(Object(JSON.parse(text)).strapi), 'version');
    return typeof version === 'string' ? version : '';
  } catch (error) {
    throw new TransferRefused('metadata.json is no JSON.', error);
  }
}
