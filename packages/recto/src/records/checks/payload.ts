import Type, { type TSchema } from 'typebox';
import { type Caller, callerRole } from '../../base/caller.ts';
import { type FieldFault, forbidden } from '../../base/problem.ts';
import { truncate } from '../../base/truncate.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { FieldValue, ParsedValue, Sending } from '../../definition/field-type.ts';
import { perType } from '../../definition/per-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { readableFields, readsPrivate } from '../../definition/readable-fields.ts';
import { endpointViews, type ReadView } from '../../definition/rights/read-view.ts';
import { isInverse, isLinked, isLocalized } from '../../definition/stored-field.ts';
import { unsetMessage } from '../../definition/structure/parse-structure.ts';
import { keepPrivate } from '../../definition/structure/private-members.ts';
import { hidesPrivate } from '../../definition/structure/structure-items.ts';
import { everyLanguage } from '../../query/read-view.ts';
import { CompiledSchema } from '../../values/compiled-schema.ts';
import { joinPaths } from '../../values/field-path.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { totalFault } from '../answers/truncated-lists.ts';
import { isLanguageMember, languageMembers } from '../plans/shown-languages.ts';

/** What a payload sets, in canonical form: columns by field, and the related ids of relations to many. */
export interface RecordChanges {
  readonly values: Map<Field, FieldValue | null>;
  readonly related: Map<Field, readonly string[]>;
}

export interface CheckedPayload extends RecordChanges {
  /** Every error at once; empty when the payload may be stored. */
  readonly faults: readonly FieldFault[];
}

/** A caller creates or updates a record, or a complete record is restored from an export. */
export type PayloadMode = 'create' | 'update' | 'restore';

/**
 * Whether a payload sets the field. A record that is put back brings what the engine keeps, too: its id, its times, its owner; but not
 * what the engine computes.
 */
const isTaken = (field: Field, mode: PayloadMode): boolean =>
  mode === 'restore' ? !isInverse(field) && field.computed !== true : field.writable;

/** How a payload is sent, and by whom. */
export interface PayloadSender extends Sending {
  /** Whether the sender knows of a field. Any other is a name that the type does not have. Absent: of all. */
  readonly names?: (field: Field) => boolean;
}

/** What a payload may hold, without `null` and with nothing required: those two are the same for all types and checked below. */
function payloadSchema({ fields }: ContentType, mode: PayloadMode): CompiledSchema {
  const properties: Record<string, TSchema> = {};
  for (const field of fields) {
    if (!isTaken(field, mode)) continue;
    const restored = mode === 'restore' ? field.type.restored : undefined;
    properties[field.name] = Type.Optional(restored?.input ?? field.type.input(field));
  }
  return new CompiledSchema(Type.Object(properties));
}

const sentSchema = perType((type) => payloadSchema(type, 'create'));
const restoredSchema = perType((type) => payloadSchema(type, 'restore'));

/**
 * Checks a payload against a type's fields. A payload that makes a new record gets defaults and must have what is
 * required. Fields that the engine keeps are ignored, so that a fetched record can be sent back complete; an unknown name is an error.
 */
export function checkPayload(
  type: ContentType,
  payload: Readonly<Record<string, unknown>>,
  mode: PayloadMode,
  sending: PayloadSender = { keepsPrivate: false },
): CheckedPayload {
  const check = new PayloadCheck(type, mode, sending);
  for (const [name, value] of Object.entries(payload)) check.take(name, value, payload);
  check.parse();
  if (mode !== 'update') check.fillDefaults(payload);
  return check;
}

/** Immutable fields that an update would change; sent unchanged, they are no error. `related` are the stored ids of relations to many. */
export function immutableFaults(
  changes: RecordChanges,
  current: StoredRecord,
  related: ReadonlyMap<Field, readonly string[]>,
): readonly FieldFault[] {
  const values = [...changes.values].filter(([{ name }, value]) => !sameValue(value, current[name] ?? null));
  const relations = [...changes.related].filter(([field, ids]) => !sameValue(ids, related.get(field) ?? []));
  return [...values, ...relations].filter(([field]) => field.immutable).map(([field]) => immutableFault(field));
}

const immutableFault = ({ name }: Field): FieldFault => ({
  field: name,
  code: 'immutable',
  message: `${name} is set at creation and cannot be changed.`,
});

/**
 * The update of a caller on a public route. An immutable field that these routes do not show is rejected with any value: whether
 * it is the stored one would reveal that.
 */
export function rejectHiddenImmutables(type: ContentType, sent: CheckedPayload): CheckedPayload {
  const rejected = [...sent.values.keys(), ...sent.related.keys()].filter(
    (field) => field.immutable && field.origin === 'declared' && !isShown(type, field),
  );
  const left = copyOf(sent);
  for (const field of rejected) {
    left.values.delete(field);
    left.related.delete(field);
  }
  return { ...left, faults: [...sent.faults, ...rejected.map(immutableFault)] };
}

const isShown = (type: ContentType, field: Field): boolean =>
  (['list', 'get', 'update'] as const).some(
    (view) => type.endpoints[view].access !== 'none' && readableFields(type, endpointViews[view]).includes(field),
  );

/**
 * The changes of a caller whose view does not show private members of structured fields: what they left out is what the record has.
 * With what is missing all the same.
 */
export function keepPrivateMembers(
  changes: RecordChanges,
  current: StoredRecord,
  view: ReadView,
): RecordChanges & { readonly faults: readonly FieldFault[] } {
  const kept = copyOf(changes);
  const faults: FieldFault[] = [];
  for (const [field, value] of changes.values) {
    if (!hidesPrivate(field)) continue;
    // True because a structured field holds JSON.
    const completed = keepPrivate(field, value as JsonValue, (current[field.name] ?? null) as JsonValue);
    kept.values.set(field, completed.value);
    if (view.audience === 'public' || readsPrivate(view))
      faults.push(...completed.faults.map((fault) => ({ ...fault, field: joinPaths(field.name, fault.field) })));
    else if (completed.faults.length > 0) faults.push({ field: field.name, code: 'required', message: unsetMessage });
  }
  return { ...kept, faults };
}

/** The same changes, to be added to without changing the original: a transaction may run more than once. */
export const copyOf = ({ values, related }: RecordChanges): RecordChanges => ({
  values: new Map(values),
  related: new Map(related),
});

class PayloadCheck implements CheckedPayload {
  readonly values = new Map<Field, FieldValue | null>();
  readonly related = new Map<Field, readonly string[]>();
  readonly faults: FieldFault[] = [];
  readonly #type: ContentType;
  readonly #mode: PayloadMode;
  readonly #sending: PayloadSender;
  readonly #sent: Record<string, JsonValue> = Object.create(null);

  constructor(type: ContentType, mode: PayloadMode, sending: PayloadSender) {
    this.#type = type;
    this.#mode = mode;
    this.#sending = sending;
  }

  take(name: string, value: unknown, payload: Readonly<Record<string, unknown>>): void {
    if (isLocalized(this.#type) && isLanguageMember(name)) {
      if (name === languageMembers.shown && value === everyLanguage)
        this.#fault(
          name,
          'not_allowed',
          'What was read with language=* is of all languages: send what one of them says.',
        );
      return;
    }
    const field = this.#named(name);
    const isTotal = field === undefined && this.#named(name.replace(/_total$/, '')) !== undefined;
    const total = isTotal ? totalFault(this.#type, name, payload) : undefined;
    if (total !== undefined) {
      if (total.fault !== undefined) this.faults.push(total.fault);
    } else if (field === undefined) {
      this.#fault(truncate(name, 64), 'unknown_field', `${this.#type.singular} has no such field.`);
    } else if (isTaken(field, this.#mode)) {
      // True because the payload is what JSON.parse gave.
      if (value !== null) this.#sent[name] = value as JsonValue;
      else if (this.#isRequired(field)) this.#missing(field);
      else this.#set(field, null);
    }
  }

  #named(name: string): Field | undefined {
    const field = this.#type.field.get(name);
    return field === undefined || this.#sending.names?.(field) === false ? undefined : field;
  }

  /** Holds what was sent against the schema, then each field that passed against its type. */
  parse(): void {
    const faults = (this.#mode === 'restore' ? restoredSchema : sentSchema)(this.#type).faults(this.#sent);
    this.faults.push(...faults);
    const faulty = new Set(faults.map(({ field }) => /^[^.[]*/.exec(field)?.[0]));
    for (const [name, value] of Object.entries(this.#sent)) {
      const field = this.#type.field.get(name);
      if (field === undefined || faulty.has(name)) continue;
      const restored = this.#mode === 'restore' ? field.type.restored : undefined;
      const parsed = restored === undefined ? field.type.parse(value, field, this.#sending) : restored.parse(value);
      if (!parsed.ok) this.#reject(name, parsed);
      else if (isTooLongToBeUnique(field, parsed.value)) this.#fault(name, 'too_long', tooLongToBeUnique);
      else this.#set(field, parsed.value);
    }
  }

  fillDefaults(payload: Readonly<Record<string, unknown>>): void {
    for (const field of this.#type.fields) {
      if (!isTaken(field, this.#mode) || Object.hasOwn(payload, field.name)) continue;
      if (field.default !== undefined) {
        const parsed = field.type.parse(field.default, field);
        if (parsed.ok) this.#set(field, parsed.value);
      } else if (this.#isRequired(field) && field.options.target_field === undefined) {
        this.#missing(field);
      }
    }
  }

  #set(field: Field, value: FieldValue | null): void {
    // An empty text or list is as good as none where something is required.
    if (isEmpty(field, value) && this.#isRequired(field)) this.#missing(field);
    else if (!isLinked(field)) this.values.set(field, value);
    // True because the input schema of a relation to many takes nothing but an array of strings.
    else this.related.set(field, (value ?? []) as readonly string[]);
    if (this.#isRequired(field) && isLinked(field) && this.related.get(field)?.length === 0) this.#missing(field);
  }

  /** The record of a single type begins with its defaults, so that one which was never updated may lack what is required. */
  #isRequired(field: Field): boolean {
    return field.required && !(this.#mode === 'restore' && this.#type.kind === 'single');
  }

  #reject(name: string, { code, message, inside }: Extract<ParsedValue, { ok: false }>): void {
    if (inside === undefined) this.#fault(name, code, message);
    for (const fault of inside ?? []) this.#fault(joinPaths(name, fault.field), fault.code, fault.message);
  }

  #missing(field: Field): void {
    if (this.#sending.names?.(field) !== false) this.#fault(field.name, 'required', `${field.name} is required.`);
    else if (!this.faults.some(({ message }) => message === unsetMessage)) this.#fault('', 'required', unsetMessage);
  }

  #fault(field: string, code: string, message: string): void {
    this.faults.push({ field, code, message });
  }
}

const isEmpty = ({ structure }: Field, value: FieldValue | null): boolean =>
  value === '' || (structure?.many === true && Array.isArray(value) && value.length === 0);

/** Bytes of a text in UTF-8 that every database can hold in a unique index: PostgreSQL takes 2,704 with what stands around it. */
const longestUnique = 2_500;

const isTooLongToBeUnique = (field: Field, value: FieldValue | null): boolean =>
  field.unique && typeof value === 'string' && Buffer.byteLength(value) > longestUnique;

const tooLongToBeUnique = `Must have at most ${longestUnique.toLocaleString('en')} bytes in UTF-8, since it is unique.`;

const sameValue = (a: FieldValue | null, b: FieldValue | null): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** Work that values need before they are stored and outside the transaction, such as hashing a password. */
export async function prepareValues(changes: RecordChanges): Promise<void> {
  for (const [field, value] of changes.values) {
    if (value !== null && field.type.prepare !== undefined) changes.values.set(field, await field.type.prepare(value));
  }
}

/**
 * Throws 403 where a write changes a field that is for other roles. `current` is null for a new record. On public routes a
 * private field is rejected with any value: whether it is the stored one would reveal that.
 */
export function requireWriters(
  {
    caller,
    admin,
    type,
    view,
  }: { readonly caller: Caller; readonly admin: boolean; readonly type: ContentType; readonly view: ReadView },
  { values }: RecordChanges,
  current: StoredRecord | null,
): void {
  // The service itself, by a route of its own.
  if (caller.isSystem === true && admin) return;
  const role = callerRole(caller);
  for (const [field, value] of values) {
    const { name, writers } = field;
    const isCompared = admin || !field.private || current === null;
    if (writers === undefined || (isCompared && value === (current?.[name] ?? null))) continue;
    if (role !== null && writers.includes(role)) continue;
    // What a protocol keeps for editors is for all roles that may write it.
    if (field.origin !== 'declared' && view.audience === 'admin' && view.rights.of(type).writes(field)) continue;
    throw forbidden('insufficient_role', `Only the role ${writers.join(' or ')} may set ${name}.`);
  }
}
