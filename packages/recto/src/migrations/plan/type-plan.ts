import { indexedColumn } from '../../database/natural-order.ts';
import type { ColumnSpec, SchemaChange } from '../../database/schema-dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { languagesTable } from '../../definition/languages/languages-table.ts';
import { junctionName } from '../../definition/relation-resolution.ts';
import { hasLinks } from '../../definition/structure/inner-links.ts';
import type { DataMove } from '../data/data-move.ts';
import type { Restructured } from '../data/restructure-history.ts';
import type { Translations } from '../data/row-scan.ts';
import {
  createLanguages,
  type DormantLanguages,
  type LanguagesStorage,
  saidSpecs,
} from '../storage/languages-storage.ts';
import type { ListIndex } from '../storage/list-indexes.ts';
import { droppedField, indexOf, type KnownField, movedField } from '../storage/storage-changes.ts';
import { knownFields, type RememberedType } from '../storage/stored-schema.ts';
import { searchedPaths } from '../storage/stored-structure.ts';
import {
  type FieldStorage,
  type FieldStorages,
  sameStorage,
  storageOf,
  type TypeStorage,
} from '../storage/type-storage.ts';
import { planField } from './field-plan.ts';
import { planLanguages } from './languages-plan.ts';
import { counted, type SchemaNote } from './schema-note.ts';
import type { PlanSurroundings, RenamedField, TypePlanning } from './type-planning.ts';
import { columnsOfSet, planUniqueSets, setKey } from './unique-set-plan.ts';

/** What is done to one type, in the order of these stages; each is done for all types before the next. */
export interface Stages {
  /** Storage that goes, by the names that it has before all else. */
  readonly drops: readonly SchemaChange[];
  readonly renames: readonly SchemaChange[];
  readonly makes: readonly SchemaChange[];
  readonly moves: readonly DataMove[];
  /** What `moves` have emptied goes, and gives its name to what they have filled. */
  readonly ends: readonly SchemaChange[];
}

/** The steps for the database to hold a type's definition; none is run where a note is `refused`. */
export interface TypePlan {
  readonly type: ContentType;
  /** The table that holds its records before anything is renamed. */
  readonly tableNow: string;
  /** What the database is to remember afterwards. */
  readonly remembered: RememberedType;
  readonly created: boolean;
  /** Fields that have another name than before. */
  readonly renamed: readonly RenamedField[];
  /** Fields whose values are made in another way than before. */
  readonly restructured: readonly Restructured[];
  /** Fields whose inner references are to be found anew, and the names of those that are gone with theirs. */
  readonly relinked: readonly Field[];
  readonly unlinked: readonly string[];
  /** Whether to rebuild the search index from the records. */
  readonly reindexed: boolean;
  readonly stages: Stages;
  readonly notes: readonly SchemaNote[];
}

/** Compares a type's definition with what is remembered of it and with what its tables hold. Changes nothing. */
export async function planType(
  type: ContentType,
  remembered: RememberedType | undefined,
  around: PlanSurroundings,
): Promise<TypePlan> {
  const planner = new TypePlanner(type, around, remembered?.storage.table ?? type.table);
  if (remembered === undefined) return planner.create();
  const exists = (await around.facts.columns(remembered.storage.table)).size > 0;
  return exists ? planner.change(remembered) : planner.create();
}

/** Collects what is done to one type. */
class TypePlanner implements TypePlanning {
  readonly type: ContentType;
  readonly around: PlanSurroundings;
  /** The table that holds the records before anything is renamed. */
  readonly tableNow: string;
  readonly #wanted: TypeStorage;
  readonly #dropped = new Set<string>();
  readonly #drops: SchemaChange[] = [];
  readonly #renames: SchemaChange[] = [];
  readonly #makes: SchemaChange[] = [];
  readonly #moves: DataMove[] = [];
  readonly #ends: SchemaChange[] = [];
  readonly #notes: SchemaNote[] = [];
  /** As they are stored. */
  #languages: LanguagesStorage | undefined;
  readonly #renamed: RenamedField[] = [];
  readonly #restructured: Restructured[] = [];
  readonly #relinked = new Set<Field>();
  readonly #unlinked: string[] = [];

  constructor(type: ContentType, around: PlanSurroundings, tableNow: string) {
    this.type = type;
    this.around = around;
    this.tableNow = tableNow;
    this.#wanted = storageOf(type);
  }

  async create(): Promise<TypePlan> {
    const { table, fields, search, lists = [], sets = [], languages } = this.#wanted;
    if ((await this.around.facts.columns(table)).size > 0) {
      this.refuse(
        `its table ${table} is in the database already, but not as this type's`,
        'rename the table or the type',
      );
      return this.#plan({ created: false, reindexed: false, dormant: {} });
    }
    const columns = Object.values(fields).flatMap((storage) => this.#columnSpec(storage) ?? []);
    this.make({ change: 'create_table', table, columns: [...columns, ...saidSpecs(languages)] });
    for (const storage of Object.values(fields)) this.#addBeside(storage);
    for (const columns of lists.toReversed()) this.make({ change: 'create_list_index', table, columns });
    for (const set of sets) this.make({ change: 'create_set_index', table, ...set });
    for (const change of createLanguages(table, languages)) this.make(change);
    if (search.length > 0) this.make({ change: 'create_search', table, columns: search });
    this.note('start', 'is made');
    return this.#plan({ created: true, reindexed: false, dormant: {} });
  }

  async change(remembered: RememberedType): Promise<TypePlan> {
    const present = await this.#present(knownFields(remembered));
    const { storage } = remembered;
    this.#languages = storage.languages;
    await this.#changeKind(storage);
    await planUniqueSets(this, storage.sets ?? [], present);
    const known = new Map<string, KnownField>();
    for (const [name, now] of Object.entries(present)) {
      if (now.shape !== 'column' && this.around.removed.has(now.target)) this.#dropReference(name, now);
      else known.set(name, { now, later: movedField(now, this.#wanted.table, name) });
    }
    for (const [name, wanted] of Object.entries(this.#wanted.fields)) await planField(this, name, wanted, known);
    const dormant = await this.#dormant(known, storage.fields);
    if (storage.table !== this.#wanted.table) this.#renameTable(present);
    const reindexed = this.#search(storage);
    this.#lists(storage);
    this.#sets(storage);
    const dormantLanguages = await planLanguages(this, remembered, this.#wanted.languages, {
      renamed: this.#renamed,
      reindexed,
    });
    return this.#plan({ created: false, reindexed, dormant, dormantLanguages });
  }

  /** The storages that really exist: someone may have dropped a column by hand, as an error advises. */
  async #present(known: FieldStorages): Promise<FieldStorages> {
    const columns = await this.around.facts.columns(this.tableNow);
    const present: Record<string, FieldStorage> = {};
    for (const [name, storage] of Object.entries(known)) {
      const there =
        storage.shape === 'to_many'
          ? (await this.around.facts.columns(storage.junction)).size > 0
          : columns.has(storage.column);
      if (there) present[name] = storage;
    }
    return present;
  }

  /** Before its fields are renamed, and without those that are dropped by then. Indexes are named after their table. */
  #renameTable(present: FieldStorages): void {
    const [table, to] = [this.tableNow, this.#wanted.table];
    const staying = Object.entries(present).filter(([name]) => !this.#dropped.has(name));
    const indexes = staying.flatMap(([, storage]) => indexOf(storage) ?? []);
    this.#renames.unshift(
      { change: 'drop_search', table },
      ...indexes.map((index): SchemaChange => ({ change: 'drop_index', table, ...index })),
      { change: 'rename_table', table, to },
      ...indexes.map((index): SchemaChange => ({ change: 'create_index', table: to, ...index })),
      ...staying.flatMap(([name, storage]): SchemaChange[] =>
        storage.shape === 'to_many'
          ? [{ change: 'rename_junction', junction: storage.junction, to: junctionName(to, name) }]
          : [],
      ),
    );
  }

  async #changeKind(stored: TypeStorage): Promise<void> {
    const { kind } = this.#wanted;
    if (stored.kind === kind) return;
    // Each tenant has a record of its own; that it is the only one is seen to at each write.
    const isOne = kind === 'single' && this.type.partition === null;
    const records = isOne ? await this.around.facts.records(this.tableNow) : 0;
    if (records > 1) {
      this.refuse(`it holds ${records} records and cannot become a single type`, 'delete all records but one');
    } else {
      this.note('start', `becomes a ${kind === 'single' ? 'single type' : 'collection'}`);
    }
  }

  /** Nothing is lost by it: what it refers to holds no records, or is dropped as was asked. */
  #dropReference(name: string, storage: FieldStorage): void {
    this.drop(name, storage);
    this.note('apply', `what field "${name}" held goes with the type that it refers to`);
  }

  /** The fields that stay without being defined, now that the defined ones have taken theirs out of `known`. */
  async #dormant(known: ReadonlyMap<string, KnownField>, before: FieldStorages): Promise<FieldStorages> {
    const dormant: Record<string, FieldStorage> = {};
    for (const [name, { now, later }] of known) {
      const { facts, drops } = this.around;
      if (drops(this.type.singular, name)) {
        const filled = await facts.filled(this.tableNow, now);
        this.drop(name, now);
        this.note('apply', `field "${name}" is dropped, with its values in ${counted(filled, 'record')}`);
        continue;
      }
      dormant[name] = later;
      if (!Object.hasOwn(before, name)) continue;
      const filled = await facts.filled(this.tableNow, now);
      this.note('start', `field "${name}" is not served any more; ${stay(filled)}`);
    }
    return dormant;
  }

  /** Returns whether to rebuild the index. */
  #search(stored: TypeStorage): boolean {
    const { table, search, words } = this.#wanted;
    const sameWords =
      words === stored.words &&
      (search.length === 0 || (stored.searchForm ?? 1) >= this.around.dialect.schema.oldestSearchForm) &&
      search.toSorted().join() === stored.search.toSorted().join() &&
      searchedTexts(this.#wanted) === searchedTexts(stored);
    if (sameWords && stored.table === table) return false;
    this.end({ change: 'drop_search', table });
    if (search.length === 0) return false;
    this.end({ change: 'create_search', table, columns: search });
    if (stored.table === table) this.note('start', 'the search index is made anew');
    return true;
  }

  /** An index goes before what it is on is renamed or converted, and comes when all else is done. */
  #lists(stored: TypeStorage): void {
    const { table, lists = [] } = this.#wanted;
    const wanted = new Set(lists.map(String));
    const kept = (stored.lists ?? []).filter((columns) => wanted.has(String(columns)) && this.#stays(stored, columns));
    for (const columns of stored.lists ?? []) {
      if (!kept.includes(columns)) this.#drops.unshift({ change: 'drop_list_index', table: this.tableNow, columns });
    }
    const there = new Set(kept.map(String));
    for (const columns of lists.toReversed()) {
      if (!there.has(String(columns))) this.end({ change: 'create_list_index', table, columns });
    }
  }

  /** As the indexes of lists. */
  #sets(stored: TypeStorage): void {
    const { table, sets = [] } = this.#wanted;
    const wanted = new Set(sets.map(setKey));
    const kept = new Set(
      (stored.sets ?? [])
        .filter((set) => wanted.has(setKey(set)) && this.#stays(stored, columnsOfSet(set)))
        .map(setKey),
    );
    for (const set of stored.sets ?? []) {
      if (!kept.has(setKey(set)))
        this.#drops.unshift({ change: 'drop_set_index', table: this.tableNow, columns: set.columns });
    }
    for (const set of sets) if (!kept.has(setKey(set))) this.end({ change: 'create_set_index', table, ...set });
  }

  /** Whether nothing happens to the columns. */
  #stays(stored: TypeStorage, columns: ListIndex): boolean {
    return (
      stored.table === this.#wanted.table &&
      columns.every((name) => {
        const { column } = indexedColumn(name);
        const [before, after] = [stored, this.#wanted].map(({ fields }) => columnStorage(fields, column));
        return column === 'id' || (before !== undefined && after !== undefined && sameStorage(before, after));
      })
    );
  }

  translations(name: string): Translations | undefined {
    if (this.type.field.get(name)?.localized !== true) return undefined;
    const former = this.#renamed.find(({ to }) => to === name)?.from ?? name;
    const stored = this.#languages?.fields[former];
    return stored && { table: languagesTable({ table: this.tableNow }), column: stored.column };
  }

  /** Makes what a field needs, all of it empty but for a default. */
  async addField(name: string, storage: FieldStorage): Promise<void> {
    const column = this.#columnSpec(storage);
    if (column !== undefined) {
      this.make({ change: 'add_column', table: this.#wanted.table, column });
      if (this.#hasSharedDefault(name, storage)) this.move({ move: 'fill', type: this.type, field: name });
    }
    this.#addBeside(storage);
  }

  /** A default for all existing records: none where it would have to be unique, or names a record. */
  #hasSharedDefault(name: string, storage: FieldStorage): boolean {
    const field = this.type.field.get(name);
    if (field === undefined || storage.shape !== 'column' || storage.unique || field.type.secret) return false;
    return field.default !== undefined && field.default !== null;
  }

  /** What a field needs in addition to its column. */
  #addBeside(storage: FieldStorage): void {
    if (storage.shape === 'to_many') this.makeJunction(storage.junction, storage.target);
    const index = indexOf(storage);
    if (index === undefined) return;
    const change: SchemaChange = { change: 'create_index', table: this.#wanted.table, ...index };
    // The column that it is unique within may be made after this one.
    if (index.within === undefined) this.make(change);
    else this.end(change);
  }

  makeJunction(junction: string, target: string): void {
    const { table } = this.#wanted;
    this.make({ change: 'create_junction', junction, source: table, target: this.around.types.get(target).table });
  }

  makeColumn(storage: FieldStorage, column: string): void {
    const spec = this.#columnSpec(storage);
    if (spec !== undefined) {
      this.make({ change: 'add_column', table: this.#wanted.table, column: { ...spec, name: column } });
    }
  }

  #columnSpec(storage: FieldStorage): ColumnSpec | undefined {
    switch (storage.shape) {
      case 'column':
        return { name: storage.column, kind: storage.kind, references: null };
      case 'to_one':
        return { name: storage.column, kind: 'text', references: this.around.types.get(storage.target).table };
      case 'to_many':
        return undefined;
    }
  }

  /** Drops what a field is stored in, before anything is renamed. */
  drop(name: string, storage: FieldStorage): void {
    this.#dropped.add(name);
    if (storage.shape === 'column' && storage.structure !== undefined) this.#unlinked.push(name);
    this.#drops.push(...droppedField(this.tableNow, storage));
  }

  /** Separate from its storage, for what else knows the field by its name. */
  renamed(field: RenamedField): void {
    this.#renamed.push(field);
  }

  restructured(change: Restructured): void {
    this.#restructured.push(change);
    if (hasLinks(change.field)) this.#relinked.add(change.field);
  }

  relink(field: Field): void {
    this.#relinked.add(field);
  }

  rename(change: SchemaChange): void {
    this.#renames.push(change);
  }

  make(change: SchemaChange): void {
    this.#makes.push(change);
  }

  move(move: DataMove): void {
    this.#moves.push(move);
  }

  end(...changes: readonly SchemaChange[]): void {
    this.#ends.push(...changes);
  }

  note(way: 'start' | 'apply', what: string): void {
    this.#notes.push({ way, type: this.type.singular, source: this.type.source, what });
  }

  refuse(what: string, remedy: string): void {
    this.#notes.push({ way: 'refused', type: this.type.singular, source: this.type.source, what, remedy });
  }

  #plan({
    dormant,
    dormantLanguages,
    ...rest
  }: Pick<TypePlan, 'created' | 'reindexed'> &
    Omit<RememberedType, 'storage' | 'dormantLanguages'> & {
      readonly dormantLanguages?: DormantLanguages | undefined;
    }): TypePlan {
    return {
      type: this.type,
      tableNow: this.tableNow,
      remembered: {
        storage: this.#wanted,
        dormant,
        ...(dormantLanguages === undefined ? {} : { dormantLanguages }),
      },
      stages: {
        drops: this.#drops,
        renames: this.#renames,
        makes: this.#makes,
        moves: this.#moves,
        ends: this.#ends,
      },
      notes: this.#notes,
      renamed: this.#renamed,
      restructured: this.#restructured,
      relinked: [...this.#relinked],
      unlinked: this.#unlinked,
      ...rest,
    };
  }
}

/** The texts inside structured fields that are searched, as one text. */
const searchedTexts = ({ fields, search }: TypeStorage): string =>
  search
    .toSorted()
    .map((name) => fields[name])
    .map((field) => (field?.shape === 'column' && field.structure !== undefined ? searchedPaths(field.structure) : []))
    .join('|');

const stay = (filled: number): string =>
  filled === 0 ? 'it holds no values' : `its values in ${counted(filled, 'record')} stay`;

const columnStorage = (fields: FieldStorages, column: string): FieldStorage | undefined =>
  Object.values(fields).find((storage) => storage.shape !== 'to_many' && storage.column === column);
