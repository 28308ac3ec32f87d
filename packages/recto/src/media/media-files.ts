import { Cache } from '../base/cache.ts';
import { anonymous, type Caller, callerRole, isAuthenticated } from '../base/caller.ts';
import { isId } from '../base/ids.ts';
import { notFound, Problem } from '../base/problem.ts';
import type { ContentType } from '../definition/content-type.ts';
import type { Records } from '../records/records.ts';
import type { FileStore } from './file-store.ts';
import { type Framing, framingOf } from './framing.ts';

/** A record's file, as it is served. */
export interface ServedFile extends Framing {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly hash: string;
  readonly size: number;
  /** Whether everyone may get it, so that shared caches may keep it: by its visibility, and by the rules of its type. */
  readonly isPublic: boolean;
  /** In the storage. */
  readonly key: string;
}

interface Remembered {
  readonly generation: number;
  readonly file: ServedFile | null;
  /** Whether anonymous callers may read it; null: that must be asked each time. */
  readonly openToAll: boolean | null;
}

/** Finds the files of records for callers who may read these. */
export class MediaFiles {
  readonly #records: Records;
  readonly #type: ContentType;
  readonly #store: FileStore;
  readonly #known = new Cache<Remembered>({ entries: 10_000 });
  readonly #rulesHold: boolean;

  constructor(records: Records, type: ContentType, store: FileStore) {
    this.#records = records;
    this.#type = type;
    this.#store = store;
    const { filter, filterAuth } = type.endpoints.get;
    // What depends on the time, on parameters or on other records must be asked each time.
    this.#rulesHold = [filter, filterAuth].every(
      (rule) => rule === null || (!rule.reads.now && rule.reads.query.size === 0 && rule.reads.types.size === 0),
    );
  }

  /** The file of a record that the caller may read, or that a signature opens; 404 for any other. */
  async get(id: string, caller: Caller, isSigned: boolean): Promise<ServedFile> {
    if (!isId(id)) throw notFound('There is no such file.');
    const known = await this.#look(id);
    if (known.file === null) throw notFound('There is no such file.');
    if (isSigned || (await this.#mayRead(id, caller, known.openToAll))) return known.file;
    throw notFound('There is no such file.');
  }

  async #look(id: string): Promise<Remembered> {
    const { generations } = this.#records.database;
    await generations.refresh();
    const generation = generations.of(this.#type.singular);
    const known = this.#known.get(id);
    if (known?.generation === generation) return known;
    const openToAll = this.#rulesHold ? await this.#isShown(id, anonymous) : null;
    const found: Remembered = { generation, file: await this.#load(id, openToAll === true), openToAll };
    this.#known.set(id, found);
    return found;
  }

  async #load(id: string, openToAll: boolean): Promise<ServedFile | null> {
    const { database } = this.#records;
    const record = await this.#records.find(database, this.#type, id);
    if (record === undefined || typeof record.hash !== 'string') return null;
    const row = await this.#store.find(database, record.hash);
    if (row === undefined) return null;
    return {
      id,
      name: String(record.name ?? 'file'),
      mimeType: String(record.mime_type ?? 'application/octet-stream'),
      hash: record.hash,
      size: Number(row.size),
      ...framingOf(record),
      isPublic: openToAll && record.visibility === 'public',
      key: row.storage_key,
    };
  }

  async #mayRead(id: string, caller: Caller, openToAll: boolean | null): Promise<boolean> {
    if (isAuthenticated(caller)) return this.#isShown(id, caller);
    return openToAll ?? this.#isShown(id, anonymous);
  }

  /** Whether the type's own `get` shows the record, or the right of a role of the installation's own. */
  async #isShown(id: string, caller: Caller): Promise<boolean> {
    if (await this.#isFound(id, caller, 'get')) return true;
    const hasRight = this.#records.types.ownRoles.find(callerRole(caller) ?? '') !== undefined;
    return hasRight && this.#isFound(id, caller, 'admin');
  }

  async #isFound(id: string, caller: Caller, view: 'get' | 'admin'): Promise<boolean> {
    try {
      await this.#records.get({ type: this.#type, view, caller, id, search: '' });
      return true;
    } catch (error) {
      if (error instanceof Problem && [401, 403, 404].includes(error.status)) return false;
      throw error;
    }
  }
}
