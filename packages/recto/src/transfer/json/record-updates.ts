import { system } from '../../base/caller.ts';
import { isId } from '../../base/ids.ts';
import { type FieldFault, Problem } from '../../base/problem.ts';
import type { Database, Transaction } from '../../database/database.ts';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { isToMany, isValue } from '../../definition/stored-field.ts';
import { AnswerCache } from '../../records/answers/answer-cache.ts';
import { CursorSealer } from '../../records/answers/cursor-sealer.ts';
import { Records } from '../../records/records.ts';
import { byLanguage } from '../../records/values-by-language.ts';
import type { ChangeLog } from '../../records/write/change-log.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** How records of a file are matched with those that are stored. */
export interface RecordMatch {
  /** `id`, or a unique field. */
  readonly key: string;
  /** Whether a record that is stored stays as it is, or gets the values of the file. */
  readonly existing: 'keep' | 'update';
}

/** What is changed in one language; undefined: the default. */
interface Part {
  readonly changes: Body;
  readonly tag: string | undefined;
}

type Body = Readonly<Record<string, unknown>>;
/** A stored record in JSON form. */
export type StoredJson = Readonly<Record<string, JsonValue>>;

/** Finds the records that an import has values for, and changes them as an update by an admin route does. */
export class RecordUpdates {
  readonly match: RecordMatch;
  readonly #records: Records;

  constructor(database: Database, types: ContentTypes, log: ChangeLog, match: RecordMatch) {
    this.match = match;
    this.#records = new Records({
      ...{ database, types, changes: log, limits: { pageSize: 1, maxPageSize: 1 } },
      answers: new AnswerCache(database.generations, { maxBytes: 0, ttlSeconds: 0 }),
      // Nobody gets a cursor of these records.
      cursors: new CursorSealer(crypto.randomUUID()),
    });
  }

  /** The stored record that the body is about; undefined where there is none. */
  async find(type: ContentType, body: Body): Promise<StoredJson | undefined> {
    const value = body[this.match.key];
    if (typeof value !== 'string' || value === '') return undefined;
    if (this.match.key === 'id') return isId(value) ? this.#get(type, value) : undefined;
    return this.#get(type, { field: this.match.key, value });
  }

  /** The members of a body that differ from the record, and that an update may set. */
  changes(type: ContentType, body: Body, stored: StoredJson): Body {
    return Object.fromEntries(
      Object.entries(body).filter(([name, value]) => {
        const field = type.field.get(name);
        if (field === undefined || !field.writable) return false;
        // What is stored in other languages shows only when they are written.
        return field.localized || !Bun.deepEquals(canonical(field, value), canonical(field, stored[name] ?? null));
      }),
    );
  }

  /** Changes a record in a transaction of others. Returns what speaks against it; the transaction has to be rolled back then. */
  update(transaction: Transaction, type: ContentType, id: string, changes: Body): Promise<readonly FieldFault[]> {
    const { parts, faults } = this.#parts(type, changes);
    if (faults.length > 0) return Promise.resolve(faults);
    return faultsOf(async () => {
      for (const part of parts) {
        const write = await this.#prepare(this.#records.within(transaction, undefined), type, id, part);
        await write.run(transaction);
      }
    });
  }

  /** Changes a record in a transaction of its own; in a dry run, nothing is stored. */
  updateAlone(type: ContentType, id: string, changes: Body, dryRun: boolean): Promise<readonly FieldFault[]> {
    const { parts, faults } = this.#parts(type, changes);
    if (faults.length > 0) return Promise.resolve(faults);
    return faultsOf(async () => {
      const writes = await Promise.all(parts.map((part) => this.#prepare(this.#records, type, id, part)));
      // All of them, or none.
      if (dryRun || writes.length > 1) for (const write of writes) await this.#records.rehearse(write);
      if (!dryRun) for (const write of writes) await this.#records.runInTransaction(write);
    });
  }

  /** What is changed in each language. */
  #parts(
    type: ContentType,
    changes: Body,
  ): { readonly parts: readonly Part[]; readonly faults: readonly FieldFault[] } {
    const { body, others, faults } = byLanguage(type, changes);
    const main: readonly Part[] = Object.keys(body).length === 0 ? [] : [{ changes: body, tag: undefined }];
    return { parts: [...main, ...[...others].map(([tag, own]) => ({ changes: own, tag }))], faults };
  }

  #prepare(records: Records, type: ContentType, id: string, { tag, changes: payload }: Part) {
    const language = tag === undefined ? undefined : type.languages?.find(tag);
    const read = language && type.languages && readLanguage(type.languages, language, false, 'admin');
    if (read !== undefined) {
      const own = records.inLanguage(read);
      const request = { id, payload, ...{ admin: true, caller: system, search: '', ifMatch: null } };
      return own.prepareUpdate({ ...request, type: own.types.get(type.singular) });
    }
    return records.prepareUpdate({ type, id, payload, ...{ admin: true, caller: system, search: '', ifMatch: null } });
  }

  async #get(type: ContentType, id: string | { readonly field: string; readonly value: string }) {
    try {
      const { body } = await this.#records.get({ type, id, view: 'admin', caller: system, search: '' });
      // What the reader made.
      return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as StoredJson;
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return undefined;
      throw error;
    }
  }
}

/** Equal for values that are stored as one. Files are shown as objects, of which the id counts. */
function canonical(field: Field, value: unknown): unknown {
  if (isToMany(field)) return Array.isArray(value) ? value.map(idOf) : value;
  if (!isValue(field)) return idOf(value);
  if (value === null) return null;
  // Values of a file and of a record are JSON.
  const parsed = field.type.parse(value as JsonValue, field);
  return parsed.ok
    ? String(JSON.stringify(typeof parsed.value === 'bigint' ? String(parsed.value) : parsed.value))
    : value;
}

const idOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value;

async function faultsOf(work: () => Promise<void>): Promise<readonly FieldFault[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    if (error.errors !== undefined && error.errors.length > 0) return error.errors;
    return [{ field: 'id', code: error.code, message: error.message }];
  }
}
