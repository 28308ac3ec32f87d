import type { TObject, TSchema } from 'typebox';
import type { Caller, Role } from '../base/caller.ts';
import type { FieldFault } from '../base/problem.ts';
import type { JsonValue } from '../values/value-kind.ts';
import type { Field, FieldValue } from './field-type.ts';

export type ProtocolOptions = Readonly<Record<string, JsonValue>>;

/** A column to sort by. */
export interface SortTerm {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
  /** Numbers at the beginning and the end of texts count as numbers. */
  readonly isNatural?: boolean;
}

/** What a write knows when a protocol takes part in it. */
export interface WriteMoment {
  readonly caller: Caller;
  /** Canonical datetime, one for the whole write. */
  readonly now: string;
  /** The record's id. */
  readonly id: string;
  /** What is set so far: by the caller, defaults included, and by the protocols before this one. */
  readonly changed: ChangedValues;
  /** A complete record from elsewhere, whose status is taken as it is. */
  readonly restored?: true;
}

export type ChangedValues = Readonly<Record<string, FieldValue | null>>;

/** A stored record's own columns in canonical form. */
export type StoredRecord = Readonly<Record<string, FieldValue | null>>;

/** What a protocol asks of a caller's update before anything is written. */
export interface UpdateRequest {
  /** The payload as sent. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What is stored of the record's type, as a protocol may look at it within the writing transaction; of a type that keeps tenants apart, the records of the record's own. */
export interface StoredRecords {
  /** A record's own columns; undefined when there is none. */
  find(id: string): Promise<StoredRecord | undefined>;
  /** The greatest number in a column of all records, deleted ones included; undefined where there is none. */
  greatest(column: string): Promise<number | undefined>;
  /** Of all that stands below a record by the column `parent`: whether `other` is there, and how many levels there are. */
  below(parent: string, id: string, other: string): Promise<{ includes: boolean; levels: number }>;
}

/** Which rows reads see of a type, in the rule language. */
export interface VisibleRows {
  /** Holds for the rows that are seen (`deleted_at = null`); null: all are. */
  readonly condition: string | null;
  /** Whom all other rows are hidden from: everyone, or only the public routes. */
  readonly hiddenFrom: 'everyone' | 'public';
  /** A parameter of the admin reads that asks for other rows: a condition for each of its values, null for all rows. */
  readonly parameter?: {
    readonly name: string;
    readonly description: string;
    readonly choices: Readonly<Record<string, string | null>>;
  };
}

/** An action of editors and admins on one record, other than update and delete. */
export interface RecordAction {
  /** The last segment of its path, `…/{id}/restore`, and the verb of its operation id. */
  readonly name: string;
  readonly method: 'POST' | 'DELETE';
  readonly summary: string;
  /** The records it is for, by a parameter of `visible` and its choice; absent: those that admins see. */
  readonly among?: Readonly<Record<string, string>>;
  /** The values that it sets, or that the row goes, whatever `onDelete` says. */
  readonly effect: 'remove' | ((moment: WriteMoment, current: StoredRecord, body: RequestBody) => ChangedValues);
  /** JSON Schema of its body; absent: it has none. */
  readonly input?: TObject;
  /** What of the body is checked and set as a caller's update is. */
  payload?(body: RequestBody): RequestBody;
  /** A member of the body by which callers set a place of the same name, which needs the right to. */
  readonly places?: string;
}

type RequestBody = Readonly<Record<string, unknown>>;

/** An update that runs automatically at a time stored in the record. */
export interface ScheduledUpdate {
  /** The datetime column that says when; null: never. The update empties it. */
  readonly at: string;
  /** What is set then, as an editor's payload would. */
  readonly sets: Readonly<Record<string, JsonValue>>;
  /** Of what it sets, the values that a record may have before; absent: any. A record with another one stays as it is. */
  readonly from?: Readonly<Record<string, readonly string[]>>;
}

/**
 * What becomes of a protocol's column when a scheduled update runs: the time of the update, that time if there was none, the next number, or
 * nothing at all.
 */
export type ScheduledEffect = 'time' | 'time_if_null' | 'next' | 'null';

/** How many of a record's versions are kept, and for how long. The newest always is. */
export interface RevisionRetention {
  readonly keep: number;
  /** Null: however old. */
  readonly maxAgeDays: number | null;
}

/** A column and the value in it of records that are published. */
export interface PublishedState {
  readonly column: string;
  readonly value: string;
}

/** The columns by which a type's records stand below one another. */
export interface TreeColumns {
  /** A relation of the type to itself. */
  readonly parent: string;
  /** Kept by the record operations: how many records stand above. */
  readonly depth: string;
  /** The order among those below one record. */
  readonly position: string;
}

/**
 * Columns and behaviour that a content type takes on by naming the protocol. One object in one file; record operations
 * call these points and know no protocol by name.
 */
export interface Protocol {
  /** As definitions name it, of those that are in the registry. */
  readonly name: string;
  /** JSON Schema of its options object; absent: it takes none. */
  readonly options?: TSchema;
  /** Errors of the options that the schema cannot see (a default that is not one of the values); absent: there are none. */
  checkOptions?(options: ProtocolOptions): readonly { readonly option: string; readonly message: string }[];
  /** The columns it adds. `owner` is the type's singular name, for a relation of the type to itself. */
  fields(options: ProtocolOptions, owner: string): readonly Field[];
  /** What a type must be to take the protocol on; absent: either. */
  readonly kind?: 'collection';
  /** Errors that depend on the type's other fields and protocols (an order by an unknown field). */
  checkFields?(
    fields: ReadonlyMap<string, Field>,
    options: ProtocolOptions,
    protocols: readonly ActiveProtocol[],
  ): readonly { readonly option: string; readonly message: string; readonly remedy: string }[];
  /** The rows that reads see; absent: all. */
  visible?(options: ProtocolOptions): VisibleRows | undefined;
  /** A parameter of admin lists that asks for the records that others refer to (`true`) or do not (`false`); absent: none. */
  readonly usedParameter?: string;
  /** Admin routes of its own. */
  actions?(options: ProtocolOptions): readonly RecordAction[];
  /** Every version of a record is kept, as far as this says, and can be read, compared and restored by routes of its own. */
  revisions?(options: ProtocolOptions): RevisionRetention;
  /** Its columns that each write sets, whatever it is about: a write that changes nothing else makes no revision. */
  readonly bookkeeping?: readonly string[];
  /**
   * Its columns that organize the work on a record and are no part of its content: they change at once also where the record has a
   * draft, wait in no release, and are not brought back with a revision.
   */
  readonly organizing?: readonly string[];
  /** The column with the account that a record is assigned to, which has to be able to get the record. */
  readonly assignee?: string;
  /** The roles that its options name, each with its path in them; absent: none. A role that there is not is an error. */
  namedRoles?(options: ProtocolOptions): readonly { readonly option: string; readonly role: Role }[];
  /** Which of its states is that of published records; absent, undefined: none. */
  publishedState?(options: ProtocolOptions): PublishedState | undefined;
  /** The JSON column that holds the next version of a published record until it is published as well. */
  draftColumn?(options: ProtocolOptions): string | undefined;
  /** Its columns of which each language has one, in a type with localized fields. */
  byLanguage?(options: ProtocolOptions): readonly string[];
  /** Fields that name one record whose removal removes this record as well. */
  readonly cascadeDelete?: readonly string[];
  /** Slugs that no record of the type may have, because a route has them. */
  readonly reservedSlugs?: readonly string[];
  /** The order of lists that ask for none. */
  defaultSort?(options: ProtocolOptions): readonly SortTerm[];
  /** Values that a new record gets, over what the caller sent. */
  onCreate?(moment: WriteMoment, options: ProtocolOptions): ChangedValues;
  /** Values that follow from others, once more after hooks have changed some. `record`: as it would be stored. */
  derive?(id: string, changed: ChangedValues, record: StoredRecord): ChangedValues;
  /** Values that a new record gets by what is stored (a place after all others), over those of `onCreate`. */
  placeNew?(moment: WriteMoment, stored: StoredRecords, options: ProtocolOptions): Promise<ChangedValues>;
  /** The integer column that editors set the places of several records by, with a route of its own. */
  placeColumn?(options: ProtocolOptions): string | undefined;
  /** The type's records form a tree, whose depths are kept and which has routes of its own. */
  tree?(options: ProtocolOptions): TreeColumns;
  /** What `onUpdate` makes of its columns in a scheduled update, by column. */
  readonly scheduledEffects?: Readonly<Record<string, ScheduledEffect>>;
  /** Values that an updated record gets, over what the caller sent. */
  onUpdate?(moment: WriteMoment, current: StoredRecord, options: ProtocolOptions): ChangedValues;
  /** What an update reads of those of its columns that callers cannot set, by column; all others are ignored when sent. */
  updateInput?(options: ProtocolOptions): Readonly<Record<string, TSchema>>;
  /** Throws a Problem when this update must not happen (409 for a stale `lock_version`). */
  beforeUpdate?(request: UpdateRequest, current: StoredRecord, options: ProtocolOptions): void;
  /** Errors (422) that depend on other stored records, such as a parent that is its own descendant. `current` is null for a new record. */
  storedFaults?(
    moment: WriteMoment,
    current: StoredRecord | null,
    stored: StoredRecords,
    options: ProtocolOptions,
  ): Promise<readonly FieldFault[]>;
  /** The text column that keeps the records of tenants apart; null in it: of no tenant. */
  readonly partition?: string;
  /** What happens to its records by itself at a time; undefined: nothing. */
  scheduled?(options: ProtocolOptions): ScheduledUpdate | undefined;
  /** Instead of removing the row: the values that mark it as deleted. */
  onDelete?(moment: WriteMoment, current: StoredRecord, options: ProtocolOptions): ChangedValues;
}

/** A protocol with the options that a definition gave it. */
export interface ActiveProtocol {
  readonly protocol: Protocol;
  readonly options: ProtocolOptions;
}

/** Gives a protocol object its type. */
export const defineProtocol = <const Name extends string>(
  protocol: Protocol & { readonly name: Name },
): Protocol & { readonly name: Name } => protocol;
