import type { Dialect } from '../../database/dialect.ts';
import type { SchemaChange } from '../../database/schema-dialect.ts';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import type { DataMove } from '../data/data-move.ts';
import type { Restructured } from '../data/restructure-history.ts';
import type { Translations } from '../data/row-scan.ts';
import type { FieldStorage } from '../storage/type-storage.ts';
import type { StoredFacts } from './stored-facts.ts';

export interface RenamedField {
  readonly from: string;
  readonly to: string;
}

/** What the plan of one type is computed from, in addition to its definition. */
export interface PlanSurroundings {
  readonly types: ContentTypes;
  readonly facts: StoredFacts;
  readonly dialect: Dialect;
  /** Singular names of types whose tables go; what refers to them goes as well. */
  readonly removed: ReadonlySet<string>;
  /** Whether to drop a field that the type no longer has. */
  drops(type: string, field: string): boolean;
}

/** Collects what is done to one type, as the plans of its fields see it. */
export interface TypePlanning {
  readonly type: ContentType;
  readonly around: PlanSurroundings;
  /** The table that holds the records before anything is renamed. */
  readonly tableNow: string;
  /** Where the values of a field in other languages are before anything is renamed, if it is localized and was. */
  translations(name: string): Translations | undefined;
  addField(name: string, storage: FieldStorage): Promise<void>;
  makeJunction(junction: string, target: string): void;
  makeColumn(storage: FieldStorage, column: string): void;
  drop(name: string, storage: FieldStorage): void;
  renamed(field: RenamedField): void;
  /** The structure of a field has changed. */
  restructured(change: Restructured): void;
  /** The references inside a field are to be found anew. */
  relink(field: Field): void;
  rename(change: SchemaChange): void;
  make(change: SchemaChange): void;
  move(move: DataMove): void;
  end(...changes: readonly SchemaChange[]): void;
  note(way: 'start' | 'apply', what: string): void;
  refuse(what: string, remedy: string): void;
}
