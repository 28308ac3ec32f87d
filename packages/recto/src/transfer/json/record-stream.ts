import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { Languages } from '../../definition/languages/languages.ts';
import { isInverse, isLinked, storedColumn } from '../../definition/stored-field.ts';
import { storageOf } from '../../migrations/storage/type-storage.ts';
import { partitionField } from '../../records/checks/tenancy.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { junctionTable, languagesStoredTable, recordTable } from '../tables/record-tables.ts';
import type { StoredTable, TableRow } from '../tables/stored-table.ts';
import { TableReader } from '../tables/table-reader.ts';

interface StreamParts {
  readonly type: ContentType;
  readonly view: ExportView;
  readonly table: StoredTable;
  readonly reader: TableReader;
  readonly related: ReadonlyMap<string, RelatedIds>;
  readonly translations: TranslationRows | undefined;
}

type WholeRecord = Readonly<Record<string, JsonValue>>;

/** What of the records an export holds. */
export interface ExportView {
  /** Only records of this tenant; absent: all. */
  readonly tenant?: string;
  /** Without the hashes of password fields. */
  readonly withoutSecrets?: true;
}

/**
 * All records of a type in the order of their ids, each with all stored values in the order of the type's fields: private
 * fields, the service's own fields, hashes, and relations as ids. A localized field is an object of its values by language.
 */
export class RecordStream {
  readonly #type: ContentType;
  readonly #view: ExportView;
  readonly #table: StoredTable;
  readonly #reader: TableReader;
  readonly #related: ReadonlyMap<string, RelatedIds>;
  readonly #translations: TranslationRows | undefined;

  static async open(
    executor: Executor,
    dialect: Dialect,
    type: ContentType,
    view: ExportView = {},
  ): Promise<RecordStream> {
    const { table: name, fields } = storageOf(type);
    const table = recordTable(name, 'id', fields);
    const related = new Map<string, RelatedIds>();
    for (const [field, storage] of Object.entries(fields)) {
      if (storage.shape !== 'to_many') continue;
      related.set(field, new RelatedIds(await TableReader.open(executor, dialect, junctionTable(storage.junction))));
    }
    const translations = await TranslationRows.open(executor, dialect, type);
    const reader = await TableReader.open(executor, dialect, table);
    return new RecordStream({ type, view, table, reader, related, translations });
  }

  private constructor({ type, view, table, reader, related, translations }: StreamParts) {
    this.#translations = translations;
    this.#type = type;
    this.#view = view;
    this.#table = table;
    this.#reader = reader;
    this.#related = related;
  }

  /** How many records there are; undefined where the view leaves some out. */
  async count(): Promise<number | undefined> {
    return this.#view.tenant === undefined ? this.#reader.count() : undefined;
  }

  /** The next records; undefined at the end. */
  async next(): Promise<readonly WholeRecord[] | undefined> {
    const rows = await this.#reader.next();
    if (rows === undefined) return undefined;
    const records: WholeRecord[] = [];
    for (const row of rows) {
      const record = await this.#record(row);
      if (this.#shows(record)) records.push(record);
    }
    return records;
  }

  #shows(record: WholeRecord): boolean {
    const { tenant } = this.#view;
    const field = partitionField(this.#type);
    return tenant === undefined || (field !== undefined && record[field.name] === tenant);
  }

  async #record(row: TableRow): Promise<WholeRecord> {
    const values = new Map(this.#table.columns.map(({ name }, index) => [name, row[index] ?? null]));
    const record: Record<string, JsonValue> = {};
    const translated = await this.#translations?.of(String(values.get('id')));
    for (const field of this.#type.fields) {
      const { name, type } = field;
      if (isInverse(field)) continue;
      if (type.secret && this.#view.withoutSecrets === true) continue;
      if (isLinked(field)) record[name] = (await this.#related.get(name)?.of(String(values.get('id')))) ?? [];
      else {
        const value = jsonOf(values.get(storedColumn(field) ?? name) ?? null);
        record[name] = field.localized ? this.#byLanguage(field, value, translated) : value;
      }
    }
    return record;
  }

  /** The value of the default language, then those that others have. */
  #byLanguage(field: Field, value: JsonValue, translated: readonly TranslationRow[] = []): JsonValue {
    const main = this.#type.languages?.default.tag ?? '';
    const column = storedColumn(field) ?? field.name;
    const others = translated.flatMap(({ language, values }) => {
      const own = jsonOf(values.get(column) ?? null);
      return own === null ? [] : [[language, own] as const];
    });
    return Object.fromEntries([[main, value], ...others]);
  }
}

interface TranslationRow {
  readonly language: string;
  readonly values: ReadonlyMap<string, TableRow[number]>;
}

/** What records say in other languages of the service, for records requested in the order of their ids. */
class TranslationRows {
  readonly #reader: TableReader;
  readonly #columns: readonly string[];
  readonly #languages: Languages;
  /** Undefined at the end. */
  #rows: readonly TableRow[] | undefined = [];
  #at = 0;

  /** Undefined for a type without localized fields. */
  static async open(executor: Executor, dialect: Dialect, type: ContentType): Promise<TranslationRows | undefined> {
    const storage = storageOf(type);
    const table = languagesStoredTable(storage);
    if (table === undefined || type.languages === undefined) return undefined;
    return new TranslationRows(await TableReader.open(executor, dialect, table), table, type.languages);
  }

  private constructor(reader: TableReader, { columns }: StoredTable, languages: Languages) {
    this.#reader = reader;
    this.#columns = columns.map(({ name }) => name);
    this.#languages = languages;
  }

  /** In the order of the settings. */
  async of(id: string): Promise<readonly TranslationRow[]> {
    const found = new Map<string, TranslationRow>();
    // The rows of records that are gone are gone, and those of this one come next.
    for (let row = await this.#row(); row?.[0] === id; row = await this.#row()) {
      const language = String(row[1]);
      found.set(language, { language, values: new Map(this.#columns.map((name, at) => [name, row?.[at] ?? null])) });
      this.#at += 1;
    }
    return this.#languages.others.flatMap(({ tag }) => found.get(tag) ?? []);
  }

  async #row(): Promise<TableRow | undefined> {
    if (this.#at === this.#rows?.length) {
      this.#rows = await this.#reader.next();
      this.#at = 0;
    }
    return this.#rows?.[this.#at];
  }
}

/** The target ids of a relation to many, for records requested in the order of their ids. */
class RelatedIds {
  readonly #reader: TableReader;
  /** Undefined at the end. */
  #rows: readonly TableRow[] | undefined = [];
  #at = 0;

  constructor(reader: TableReader) {
    this.#reader = reader;
  }

  async of(id: string): Promise<readonly string[]> {
    const pairs: { readonly target: string; readonly position: number }[] = [];
    for (let row = await this.#row(); row?.[0] === id; row = await this.#row()) {
      pairs.push({ target: String(row[1]), position: Number(row[2]) });
      this.#at += 1;
    }
    // The ids of one record arrive in the order of their targets, which sorting by position preserves for equal positions.
    return pairs.toSorted((one, other) => one.position - other.position).map(({ target }) => target);
  }

  async #row(): Promise<TableRow | undefined> {
    if (this.#at === this.#rows?.length) {
      this.#rows = await this.#reader.next();
      this.#at = 0;
    }
    return this.#rows?.[this.#at];
  }
}

const jsonOf = (value: TableRow[number]): JsonValue => (typeof value === 'bigint' ? String(value) : value);
