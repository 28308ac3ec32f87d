import { storedChunks } from '../../storage/storage.ts';
import { isTable, type Table } from '../../values/json-table.ts';
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

/** Whether a condition of a filter holds for a file. Throws a `Refused` for one that is not known, or asks for what the export lacks. */
function holds(term: Table, record: Table): boolean {
  const [[name, wanted] = ['', null]] = Object.entries(term);
  if (name === '_or') return holdsOne(wanted, record);
  const value = record[name];
  if (value === undefined || !isTable(wanted) || Object.keys(wanted).length === 0)
    throw new Refused(`it asks for ${name}.`);
  return Object.entries(wanted).every(([operator, expected]) => {
    if (!operator.startsWith('_')) {
      if (value !== null && !isTable(value)) throw new Refused(`it asks for ${name} ${operator}.`);
      return value !== null && holds({ [operator]: expected }, value);
    }
    const plain = tableOf(value).id ?? value;
    switch (operator) {
      case '_eq':
        return plain !== null && plain === expected;
      case '_in':
        return plain !== null && Array.isArray(expected) && expected.includes(plain);
      case '_contains':
        return typeof plain === 'string' && typeof expected === 'string' && plain.includes(expected);
      case '_null':
        return (plain === null) === truth(expected);
      case '_nnull':
        return (plain !== null) === truth(expected);
      default:
        throw new Refused(`no rule says ${operator}.`);
    }
  });
}

function holdsOne(parts: JsonValue, record: Table): boolean {
  if (!Array.isArray(parts)) throw new Refused('its _or is no list.');
  return parts.some((each: JsonValue) => {
    const terms = andTerms(each);
    return terms.length > 0 && terms.every((inner) => holds(inner, record));
  });
}

function truth(value: JsonValue): boolean {
  if (typeof value !== 'boolean') throw new Refused(`it compares with ${JSON.stringify(value)}.`);
  return value;
}
