import { fetchedFile } from '../../media/fetched-file.ts';
import { storedChunks } from '../../storage/storage.ts';
import type { Table } from '../../values/json-table.ts';
import { ForeignFile, type ForeignValue, TextWithFiles } from '../importers/foreign-value.ts';
import type { StrapiSource } from './strapi-archive.ts';
import { fileType, type StrapiTables, textOf } from './strapi-tables.ts';

/** An upload, by the id of its row. */
export function fileOf(tables: StrapiTables, id: string): ForeignFile | undefined {
  const row = tables.row(fileType, id);
  if (row === undefined) return undefined;
  const createdAt = textOf(row.createdAt);
  return new ForeignFile(keyOf(row), textOf(row.name) || keyOf(row), {
    ...{ alt: textOf(row.alternativeText) || null, caption: textOf(row.caption) || null },
    ...(createdAt === '' || Number.isNaN(Date.parse(createdAt)) ? {} : { createdAt }),
  });
}

/** The name of its file in an export. */
const keyOf = ({ hash, ext }: Table): string => `${textOf(hash)}${textOf(ext)}`;

/** A path has at most so many folders that a text of slashes alone is read quickly. */
const uploadAddress = /(?:https?:\/\/[^\s"'<>()/]+)?\/(?:[\w.-]+\/){0,16}([^\s"'<>()/?#\\]+\.\w+)(?:\?[^\s"'<>()#]*)?/g;
const formatOf = /^(?:thumbnail|small|medium|large|xsmall|xlarge)_/;

/** A text with the addresses of uploads in it. */
export function textWithFiles(text: string, tables: StrapiTables): ForeignValue {
  const pieces: (string | { readonly file: ForeignFile; readonly otherwise: string })[] = [];
  let end = 0;
  for (const match of text.matchAll(uploadAddress)) {
    const [address, name = ''] = match;
    const id = tables.fileAt(name) ?? tables.fileAt(name.replace(formatOf, ''));
    const file = id === undefined ? undefined : fileOf(tables, id);
    if (file === undefined) continue;
    pieces.push(text.slice(end, match.index), { file, otherwise: address });
    end = match.index + address.length;
  }
  return pieces.length === 0 ? text : new TextWithFiles([...pieces, text.slice(end)]);
}

/** The bytes of a file: from the export, or from the storage of the installation. */
export async function openUpload(
  { tables, fileNamed, fetcher }: StrapiSource,
  { key }: ForeignFile,
): Promise<AsyncIterable<Uint8Array> | { readonly reason: string }> {
  const path = fileNamed(key);
  if (path !== undefined) return storedChunks(Bun.file(path));
  const url = textOf(tables.row(fileType, tables.fileAt(key) ?? '')?.url);
  if (fetcher !== undefined && /^https?:\/\//.test(url)) return fetchedFile(url, fetcher);
  return { reason: 'not in the export (--media names a folder of uploads)' };
}
