import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fetchedFile } from '../../media/fetched-file.ts';
import { storedChunks } from '../../storage/storage.ts';
import { type AboutFile, ForeignFile, type ForeignValue, TextWithFiles } from '../importers/foreign-value.ts';
import { localFile } from '../importers/local-file.ts';
import type { GhostSource } from './ghost-source.ts';

/** What the addresses of a site are read with. */
export interface SiteAddress {
  /** The address of the site, such as `https://site.example`, without a slash at its end; empty: not known. */
  readonly site: string;
}

/** Stands for the address of the site in exports since version 4. */
const placeholder = '__GHOST_URL__';

/** A path of a file below `content/`. */
const filePath = /^\/content\/(?:images|media|files)\/[^?#]+/;

/** The file that an address names; undefined: it is none of the site. */
export function fileAt(address: string, { site }: SiteAddress, about: AboutFile = {}): ForeignFile | undefined {
  const path = pathOf(address, site);
  const [file] = (path === undefined ? null : filePath.exec(path)) ?? [];
  if (file === undefined) return undefined;
  // Smaller sizes and other formats are made of the same file.
  const key = decoded(file.replace(/^\/content\/images\/size\/w\d+(?:h\d+)?(?:\/format\/\w+)?\//, '/content/images/'));
  return new ForeignFile(key.slice(1), basename(key), about);
}

function pathOf(address: string, site: string): string | undefined {
  for (const begin of [placeholder, site]) {
    if (begin !== '' && address.startsWith(`${begin}/`)) return address.slice(begin.length);
  }
  return address.startsWith('/') && !address.startsWith('//') ? address : undefined;
}

/** An address as people see it: the site itself is not named, where its address is not known. */
export const publicAddress = (address: string, { site }: SiteAddress): string =>
  address.startsWith(placeholder) ? `${site}${address.slice(placeholder.length)}` : address;

/** An image that has a field of its own: a file of the site, or an address elsewhere. */
export function imageAt(address: string, at: SiteAddress, about: AboutFile = {}): ForeignValue {
  if (address === '') return null;
  const file = fileAt(address, at, about);
  if (file !== undefined) return file;
  return /^https?:\/\//.test(address) && address.length <= 2048 ? address : null;
}

const siteAddress = /(?<=["'(\s,=])(?:__GHOST_URL__|https?:\/\/[^\s"'<>()/]+)?\/[^\s"'<>(),\\]*/g;

/** HTML in which addresses of files are those of the files here, and links to the site begin with a slash. */
export function htmlWithFiles(html: string, at: SiteAddress): ForeignValue {
  const pieces: (string | { readonly file: ForeignFile; readonly otherwise: string })[] = [];
  let end = 0;
  // Each image once: the other sizes of `srcset` are the same file.
  const text = html.replaceAll(/<(?:img|source)\b[^<>]*>/gi, (tag) =>
    tag.replaceAll(/\s(?:srcset|sizes)="[^"]*"/gi, ''),
  );
  for (const match of text.matchAll(siteAddress)) {
    const [address] = match;
    const file = fileAt(address, at);
    const isOfSite = address.startsWith(placeholder);
    if (file === undefined && !isOfSite) continue;
    pieces.push(text.slice(end, match.index));
    end = match.index + address.length;
    if (file === undefined) pieces.push(address.slice(placeholder.length));
    else pieces.push({ file, otherwise: publicAddress(address, at) });
  }
  if (pieces.length === 0) return text;
  return new TextWithFiles([...pieces, text.slice(end)]);
}

/** The bytes of a file, which is below `content/images`, `content/media` or `content/files` of the site. */
export async function openFile(
  { folder, isNamed, fetcher }: GhostSource,
  { key }: ForeignFile,
  { site }: SiteAddress,
): Promise<AsyncIterable<Uint8Array> | { readonly reason: string }> {
  const segments = key.split('/');
  if (segments.some((segment) => segment.startsWith('.'))) return { reason: 'its name begins with a dot' };
  const local = localSegments(folder, isNamed, segments);
  const path = local === undefined ? undefined : await localFile(folder, local);
  if (path !== undefined) return storedChunks(Bun.file(path));
  if (fetcher === undefined) return { reason: 'not in the folder of files (--media names another)' };
  if (site === '') return { reason: 'not fetched: the plan does not give the address of the site' };
  const address = segments.map(encodeURIComponent).join('/');
  return fetchedFile(`${site}/${address}`, fetcher);
}

/** What a folder `content` has beside its files. */
const notFiles = ['data', 'themes', 'settings', 'logs'];

/**
 * Where a file is below the folder; undefined: nowhere. The folder alone decides what it is, so that no address in an export leads out of the
 * folders of files, such as to the database beside them.
 */
function localSegments(folder: string, isNamed: boolean, segments: readonly string[]): readonly string[] | undefined {
  const has = (name: string): boolean =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true;
  if (has('content')) return segments;
  if (!isNamed) return undefined;
  if (['images', 'media', 'files'].some(has)) return segments.slice(1);
  const isImages = segments[1] === 'images' && !notFiles.some(has);
  return isImages ? segments.slice(2) : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
