import { lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FileFetcher } from '../../media/fetched-file.ts';
import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { ReadOptions } from '../importers/importer.ts';
import { TransferRefused } from '../transfer-refused.ts';

/** An export that was read. */
export interface ContentfulSource extends Disposable {
  /** Its name in messages. */
  readonly file: string;
  readonly types: readonly Table[];
  readonly entries: readonly Table[];
  /** By id. */
  readonly assets: ReadonlyMap<string, Table>;
  /** The type of each entry, by the entry's id. */
  readonly typeOf: ReadonlyMap<string, string>;
  readonly editors: readonly Table[];
  /** The main one first. */
  readonly locales: readonly string[];
  /** The folder of files. */
  readonly folder: string;
  readonly fetcher: FileFetcher | undefined;
}

/** An export is one object, which is read whole. */
const mostBytes = 512 * 1024 * 1024;

export const tableOf = (value: JsonValue | undefined): Table => (isTable(value) ? value : {});
export const tablesOf = (value: JsonValue | undefined): readonly Table[] =>
  Array.isArray(value) ? value.filter(isTable) : [];
/** The id of something, or of what a link leads to. */
export const idOf = (value: JsonValue | undefined): string => String(tableOf(tableOf(value).sys).id ?? '');

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

function fileOf(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return isFile(path) ? path : undefined;
  const names = readdirSync(path).filter((name) => /^contentful-export.*\.json$|^export\.json$/.test(name));
  const [name] = names;
  return name === undefined || names.length > 1 ? undefined : join(path, name);
}

/** By its name alone: an export is long. */
export const isContentful = (path: string): boolean => /contentful[^/]*\.json$/i.test(fileOf(path) ?? '');

/** Reads an export. Throws a `TransferRefused` for what is none, or a damaged one. */
export async function openContentful(path: string, { media, fetcher }: ReadOptions): Promise<ContentfulSource> {
  const file = fileOf(path);
  if (file === undefined) throw new TransferRefused(`${path} is no export of Contentful: name its JSON file.`);
  const whole = tableOf(await parsed(file));
  if (!Array.isArray(whole.contentTypes) || !Array.isArray(whole.entries))
    throw new TransferRefused(`${file} is no export of Contentful: it has no contentTypes and entries.`);
  const entries = tablesOf(whole.entries);
  const typeOf = new Map(entries.map((entry) => [idOf(entry), idOf(tableOf(entry.sys).contentType)]));
  const locales = tablesOf(whole.locales).toSorted(
    (one, other) => Number(other.default === true) - Number(one.default === true),
  );
  return {
    ...{ file, entries, typeOf, types: tablesOf(whole.contentTypes), editors: tablesOf(whole.editorInterfaces) },
    assets: new Map(tablesOf(whole.assets).map((asset) => [idOf(asset), asset])),
    locales: locales.length === 0 ? saidLocales(entries) : locales.map(({ code }) => String(code)),
    ...{ folder: media ?? dirname(file), fetcher },
    [Symbol.dispose]: () => {},
  };
}

/** Of an export without its locales: those that entries name, the most frequent first. */
function saidLocales(entries: readonly Table[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { fields } of entries) {
    for (const value of Object.values(tableOf(fields)))
      for (const code of Object.keys(tableOf(value))) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).map(([code]) => code);
}

async function parsed(path: string): Promise<JsonValue> {
  const file = Bun.file(path);
  if (file.size > mostBytes) throw new TransferRefused(`${path} is larger than ${mostBytes / 1024 / 1024} MiB.`);
  const bytes = await file.bytes();
  try {
    // True because it was JSON.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as JsonValue;
  } catch (error) {
    const why = error instanceof SyntaxError ? `is damaged: ${error.message}` : 'is no text in UTF-8';
    throw new TransferRefused(`${path} ${why}.`, error);
  }
}
