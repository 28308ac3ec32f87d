import { basename } from 'node:path';
import { jsonFault } from '../../definition/fields/json-value.ts';
import { ForeignFile, ForeignRef, type ForeignValue, TextWithFiles } from '../importers/foreign-value.ts';
import type { PocketbaseCollection, PocketbaseField } from './pocketbase-collections.ts';
import { isMultiple, momentOf } from './pocketbase-field.ts';

/** What values of a record are read with. */
export interface ValueParts {
  readonly collection: PocketbaseCollection;
  readonly recordId: string;
  readonly createdAt: string | undefined;
  readonly isUnique: boolean;
  /** The name of the collection with that id or name; undefined: there is none. */
  nameOf(idOrName: string): string | undefined;
  /** Whether the collection has files that only some may read. */
  isProtected(collection: string, file: string): boolean;
}

/** A value that cannot be brought in. */
export class BadValue extends Error {}

/** A stored value as one of a record here. PocketBase has no null: an empty text is none where the field holds no texts. Throws a `BadValue`. */
export function foreignValue(field: PocketbaseField, stored: unknown, parts: ValueParts): ForeignValue {
  if (stored instanceof Uint8Array) throw new BadValue('it holds bytes in place of text.');
  if (stored === null || stored === undefined) return null;
  switch (field.type) {
    case 'text':
    case 'url':
      return text(field, String(stored), parts);
    case 'editor':
      return withFiles(String(stored), parts);
    case 'bool':
      return stored === 1 || stored === true;
    case 'number':
      return Number(stored);
    case 'email':
      return stored === '' ? null : String(stored);
    case 'date':
    case 'autodate':
      return moment(stored);
    case 'json':
      return json(stored);
    case 'geoPoint':
      return json(stored);
    case 'select':
      return isMultiple(field) ? texts(stored) : single(stored);
    case 'relation':
      return relation(field, stored, parts);
    case 'file':
      return files(field, stored, parts);
    default:
      return null;
  }
}

/** An empty text is none where it would break a rule that PocketBase does not apply to it. */
function text({ raw }: PocketbaseField, value: string, { isUnique }: ValueParts): ForeignValue {
  const isBound = isUnique || Number(raw.min ?? 0) > 0 || (typeof raw.pattern === 'string' && raw.pattern !== '');
  return value === '' && isBound ? null : value;
}

function moment(stored: unknown): ForeignValue {
  if (stored === '') return null;
  const value = momentOf(stored);
  if (value === undefined) throw new BadValue(`${JSON.stringify(stored)} is no time.`);
  return value;
}

function json(stored: unknown): ForeignValue {
  if (typeof stored !== 'string') return typeof stored === 'number' ? stored : null;
  if (stored === '') return null;
  const value = parsed(stored);
  // What is nested without end would end the stack of what walks through it.
  const fault = jsonFault(value);
  if (fault !== undefined) throw new BadValue(fault.message);
  // True because it was JSON.
  return value as ForeignValue;
}

function parsed(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    throw new BadValue('it holds no JSON.');
  }
}

/** A field of one value that held several before keeps them as JSON. */
function single(stored: unknown): string | null {
  const [first] = texts(stored);
  return first ?? null;
}

function texts(stored: unknown): readonly string[] {
  if (typeof stored !== 'string' || stored === '') return [];
  if (!stored.startsWith('[')) return [stored];
  try {
    const values: unknown = JSON.parse(stored);
    return Array.isArray(values)
      ? values.filter((value): value is string => typeof value === 'string' && value !== '')
      : [];
  } catch {
    return [stored];
  }
}

function relation(field: PocketbaseField, stored: unknown, { nameOf }: ValueParts): ForeignValue {
  const target = nameOf(String(field.raw.collectionId));
  if (target === undefined) return null;
  const refs = [...new Set(texts(stored))].map((id) => new ForeignRef(target, id));
  return isMultiple(field) ? refs : (refs[0] ?? null);
}

function files(field: PocketbaseField, stored: unknown, parts: ValueParts): ForeignValue {
  const { collection, recordId, createdAt } = parts;
  const found = [...new Set(texts(stored))].map((name) =>
    fileOf(name, { collection: collection.name, recordId, isProtected: field.raw.protected === true, createdAt }),
  );
  return isMultiple(field) ? found : (found[0] ?? null);
}

interface FilePlace {
  readonly collection: string;
  readonly recordId: string;
  readonly isProtected: boolean;
  readonly createdAt: string | undefined;
}

function fileOf(name: string, { collection, recordId, isProtected, createdAt }: FilePlace): ForeignFile {
  // PocketBase adds ten random characters to the name that a file came with.
  const original = basename(name).replace(/_[A-Za-z0-9]{10}(?=\.\w+$|$)/, '');
  return new ForeignFile(`${collection}/${recordId}/${name}`, original, {
    ...(isProtected ? { visibility: 'private' as const } : {}),
    ...(createdAt === undefined ? {} : { createdAt }),
  });
}

const fileAddress =
  /(?:https?:\/\/[^\s"'<>()/]+)?\/api\/files\/([\w-]+)\/([\w-]+)\/([^\s"'<>()?#/]+)(?:\?[^\s"'<>()#]*)?/g;

/** A text of HTML with the addresses of files in it. */
function withFiles(html: string, { nameOf, isProtected, createdAt }: ValueParts): ForeignValue {
  const pieces: (string | { readonly file: ForeignFile; readonly otherwise: string })[] = [];
  let end = 0;
  for (const match of html.matchAll(fileAddress)) {
    const [address, collection = '', recordId = '', name = ''] = match;
    const known = nameOf(collection);
    if (known === undefined) continue;
    const place = { collection: known, recordId, isProtected: isProtected(known, name), createdAt };
    pieces.push(html.slice(end, match.index), { file: fileOf(decoded(name), place), otherwise: address });
    end = match.index + address.length;
  }
  return pieces.length === 0 ? html : new TextWithFiles([...pieces, html.slice(end)]);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
