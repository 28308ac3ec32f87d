import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { ColumnSpec, SchemaChange } from './schema-dialect.ts';
import type { StoredFacts } from './stored-facts.ts';
import {
  describeStorage,
  type FieldStorage,
  type FieldStorages,
  sameStorage,
  storageOf,
  type TypeStorage,
} from './type-storage.ts';

/** What the database remembers of a type. */
export interface RememberedType {
  readonly storage: TypeStorage;
  /** Fields that the definition had once; their values are still there. */
  readonly dormant: FieldStorages;
}

/** What is to be done so that the database can hold a type's definition; nothing of it where there are refusals. */
export interface TypePlan {
  readonly type: ContentType;
  readonly wanted: TypeStorage;
  readonly created: boolean;
  readonly changes: readonly SchemaChange[];
  /** Names of fields whose default the existing records get. */
  readonly filled: readonly string[];
  /** Whether the search index is to be made anew of the records. */
  readonly reindexed: boolean;
  readonly dormant: FieldStorages;
  /** Whole sentences: why the definition cannot be put over what is stored, and what can be done. */
  readonly refusals: readonly string[];
}

/** Compares a type's definition with what is remembered of it and with what its tables hold. Changes nothing. */
export async function planType(
  type: ContentType,
  types: ContentTypes,
  remembered: RememberedType | undefined,
  facts: StoredFacts,
): Promise<TypePlan> {
  const planner = new TypePlanner(type, types, facts);
  return (await facts.columns(type.table)).size === 0 ? planner.create() : planner.change(remembered);
}

class TypePlanner {
  readonly #type: ContentType;
  readonly #types: ContentTypes;
  readonly #facts: StoredFacts;
  readonly #wanted: TypeStorage;
  readonly #changes: SchemaChange[] = [];
  readonly #filled: string[] = [];
  readonly #refusals: string[] = [];

  constructor(type: ContentType, types: ContentTypes, facts: StoredFacts) {
    this.#type = type;
    this.#types = types;
    this.#facts = facts;
    this.#wanted = storageOf(type);
  }

  create(): TypePlan {
    const { table, fields, search } = this.#wanted;
    const columns = Object.values(fields).flatMap((storage) => this.#columnSpec(storage) ?? []);
    this.#changes.push({ change: 'create_table', table, columns });
    for (const storage of Object.values(fields)) this.#addBeside(storage);
    if (search.length > 0) this.#changes.push({ change: 'create_search', table, columns: search });
    return this.#plan({ created: true, reindexed: false, dormant: {} });
  }

  async change(remembered: RememberedType | undefined): Promise<TypePlan> {
    if (remembered === undefined || remembered.storage.table !== this.#wanted.table) {
      this.#refuse(
        `its table ${this.#wanted.table} is in the database already, but not as this type's`,
        'rename the table or the type',
      );
      return this.#plan({ created: false, reindexed: false, dormant: {} });
    }
    const known = await this.#present({ ...remembered.dormant, ...remembered.storage.fields });
    await this.#checkKind(remembered.storage);
    for (const [name, storage] of Object.entries(this.#wanted.fields)) {
      await this.#field(name, storage, known[name]);
    }
    const reindexed = this.#search(remembered.storage);
    const dormant = Object.fromEntries(Object.entries(known).filter(([name]) => !(name in this.#wanted.fields)));
    return this.#plan({ created: false, reindexed, dormant });
  }

  /** The storages that are really there: someone may have dropped a column by hand, as a refusal advises. */
  async #present(known: FieldStorages): Promise<FieldStorages> {
    const columns = await this.#facts.columns(this.#wanted.table);
    const present: Record<string, FieldStorage> = {};
    for (const [name, storage] of Object.entries(known)) {
      const there =
        storage.shape === 'to_many'
          ? (await this.#facts.columns(storage.junction)).size > 0
          : columns.has(storage.column);
      if (there) present[name] = storage;
    }
    return present;
  }

  async #checkKind(stored: TypeStorage): Promise<void> {
    if (stored.kind === this.#wanted.kind || this.#wanted.kind === 'collection') return;
    const records = await this.#facts.records(this.#wanted.table);
    if (records > 1) {
      this.#refuse(`it holds ${records} records and cannot become a single type`, 'delete all records but one');
    }
  }

  async #field(name: string, wanted: FieldStorage, known: FieldStorage | undefined): Promise<void> {
    if (known === undefined) return this.#addField(name, wanted);
    if (sameStorage(known, wanted)) return this.#changeUnique(name, wanted, known);
    const filled = await this.#facts.filled(this.#wanted.table, known);
    if (filled > 0) {
      this.#refuse(
        `field "${name}" is stored as ${describeStorage(known)} in ${counted(filled, 'record')} and defined as ${describeStorage(wanted)}${elsewhere(known, wanted)}`,
        'give the new field another name, or empty the old one first',
      );
      return;
    }
    this.#dropField(known);
    this.#addField(name, wanted);
  }

  #addField(name: string, storage: FieldStorage): void {
    const column = this.#columnSpec(storage);
    if (column !== undefined) {
      this.#changes.push({ change: 'add_column', table: this.#wanted.table, column });
      if (this.#hasSharedDefault(name, storage)) this.#filled.push(name);
    }
    this.#addBeside(storage);
  }

  /** A default for all existing records: none where it would have to be unique, or names a record. */
  #hasSharedDefault(name: string, storage: FieldStorage): boolean {
    const field = this.#type.field.get(name);
    if (field === undefined || storage.shape !== 'column' || storage.unique || field.type.secret) return false;
    return field.default !== undefined && field.default !== null;
  }

  /** What a field needs besides its column. */
  #addBeside(storage: FieldStorage): void {
    const { table } = this.#wanted;
    if (storage.shape === 'to_many') {
      const { junction } = storage;
      const target = this.#types.get(storage.target).table;
      this.#changes.push({ change: 'create_junction', junction, source: table, target });
    } else if (storage.unique || storage.shape === 'to_one' || storage.indexed === true) {
      const { column, unique } = storage;
      this.#changes.push({ change: 'create_index', table, column, unique });
    }
  }

  /** Only ever for a field that holds no value. */
  #dropField(storage: FieldStorage): void {
    const { table } = this.#wanted;
    if (storage.shape === 'to_many') {
      this.#changes.push({ change: 'drop_junction', junction: storage.junction });
      return;
    }
    const { column } = storage;
    this.#changes.push({ change: 'drop_index', table, column, unique: true });
    this.#changes.push({ change: 'drop_index', table, column, unique: false });
    this.#changes.push({ change: 'drop_column', table, column });
  }

  async #changeUnique(name: string, wanted: FieldStorage, known: FieldStorage): Promise<void> {
    if (wanted.shape === 'to_many' || known.shape === 'to_many' || wanted.unique === known.unique) return;
    const { table } = this.#wanted;
    const { column } = wanted;
    if (wanted.unique) {
      const repeated = await this.#facts.repeated(table, column);
      if (repeated > 0) {
        this.#refuse(
          `field "${name}" is defined as unique, but ${counted(repeated, 'value')} of it ${repeated === 1 ? 'stands' : 'stand'} in more than one record`,
          'make the values differ first, or leave "unique" out',
        );
        return;
      }
    }
    this.#changes.push({ change: 'drop_index', table, column, unique: known.unique });
    if (wanted.unique || wanted.shape === 'to_one' || wanted.indexed === true) {
      this.#changes.push({ change: 'create_index', table, column, unique: wanted.unique });
    }
  }

  /** Tells whether the index is to be made anew. */
  #search(stored: TypeStorage): boolean {
    const { table, search, words } = this.#wanted;
    if (words === stored.words && search.toSorted().join() === stored.search.toSorted().join()) return false;
    this.#changes.push({ change: 'drop_search', table });
    if (search.length === 0) return false;
    this.#changes.push({ change: 'create_search', table, columns: search });
    return true;
  }

  #columnSpec(storage: FieldStorage): ColumnSpec | undefined {
    switch (storage.shape) {
      case 'column':
        return { name: storage.column, kind: storage.kind, references: null };
      case 'to_one':
        return { name: storage.column, kind: 'text', references: this.#types.get(storage.target).table };
      case 'to_many':
        return undefined;
    }
  }

  #refuse(what: string, remedy: string): void {
    this.#refusals.push(`${this.#type.source}: content type "${this.#type.singular}": ${what}; ${remedy}.`);
  }

  #plan(rest: Pick<TypePlan, 'created' | 'reindexed' | 'dormant'>): TypePlan {
    return {
      type: this.#type,
      wanted: this.#wanted,
      changes: this.#changes,
      filled: this.#filled,
      refusals: this.#refusals,
      ...rest,
    };
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Two storages that read alike differ by where they are. */
function elsewhere(known: FieldStorage, wanted: FieldStorage): string {
  if (describeStorage(known) !== describeStorage(wanted)) return '';
  const place = (storage: FieldStorage) => (storage.shape === 'to_many' ? storage.junction : storage.column);
  return ` (in "${place(wanted)}" instead of "${place(known)}")`;
}
