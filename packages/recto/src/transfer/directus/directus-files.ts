import { storedChunks } from '../../storage/storage.ts';
import type { Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { ForeignFile } from '../importers/foreign-value.ts';
import { localFile } from '../importers/local-file.ts';
import { andTerms, Refused } from './directus-rules.ts';
import { tableOf, textOf } from './directus-schema.ts';
import type { DirectusSource } from './directus-source.ts';
import { momentOf } from './directus-value.ts';

/** The files of a project. Those that the public may not read are private. */
export class DirectusFiles {
  readonly #source: DirectusSource;
  readonly #filters: readonly JsonValue[];

  /** `readable`: the permissions by which the public reads files. */
  constructor(source: DirectusSource, readable: readonly Table[]) {
    this.#source = source;
    this.#filters = readable.map(({ permissions }) => permissions ?? null);
  }

  find(id: string): ForeignFile | undefined {
    const file = this.#source.files.get(id);
    if (file === undefined) return undefined;
    const createdAt = momentOf(file.created_on) ?? momentOf(file.uploaded_on);
    return new ForeignFile(id, textOf(file.filename_download) ?? id, {
      visibility: this.#isPublic(file) ? 'public' : 'private',
      alt: textOf(file.description) ?? null,
      caption: textOf(file.title) ?? null,
      ...(createdAt === undefined ? {} : { createdAt }),
    });
  }

  async open({ key }: ForeignFile) {
    const name = textOf(this.#source.files.get(key)?.filename_disk);
    const path = name === undefined ? undefined : await localFile(this.#source.assets, [name]);
    return path === undefined ? { reason: 'not in the folder of files' } : storedChunks(Bun.file(path));
  }

  #isPublic(file: Table): boolean {
    const whole = { ...file, folder: this.#folder(textOf(file.folder), 0) };
    return this.#filters.some((filter) => {
      try {
        return andTerms(filter).every((term) => holds(term, whole));
      } catch (error) {
        if (error instanceof Refused) return false;
        throw error;
      }
    });
  }

  #folder(id: string | undefined, depth: number): JsonValue {
    const folder = this.#source.folders.find((each) => each.id === id);
    if (folder === undefined || depth > 20) return id ?? null;
    return { ...folder, parent: this.#folder(textOf(folder.parent), depth + 1) };
  }
}

/** Whether a condition of a filter holds for a file. Throws a `Refused` for one that is not known. */
function holds(term: Table, record: Table): boolean {
  const [[name, wanted] = ['', null]] = Object.entries(term);
  if (name === '_or')
    return (
      Array.isArray(wanted) && wanted.some((each: JsonValue) => andTerms(each).every((inner) => holds(inner, record)))
    );
  const value = record[name];
  return Object.entries(tableOf(wanted)).every(([operator, expected]) => {
    const own = tableOf(value);
    if (!operator.startsWith('_')) return holds({ [operator]: expected }, own);
    const plain = own.id ?? value ?? null;
    switch (operator) {
      case '_eq':
        return plain === expected;
      case '_in':
        return Array.isArray(expected) && expected.includes(plain);
      case '_contains':
        return typeof plain === 'string' && typeof expected === 'string' && plain.includes(expected);
      case '_null':
        return (plain === null) === (expected === true);
      case '_nnull':
        return (plain !== null) === (expected === true);
      default:
        throw new Refused(`no rule says ${operator}.`);
    }
  });
}
