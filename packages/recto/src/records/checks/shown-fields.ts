import { anonymous } from '../../base/caller.ts';
import type { FieldFault } from '../../base/problem.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { FieldCondition } from '../../definition/field-condition.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { isLinked } from '../../definition/stored-field.ts';
import { unsetMessage } from '../../definition/structure/parse-structure.ts';
import { evaluateRule, type RuleRecord } from '../../rules/rule-evaluator.ts';
import type { RecordChanges } from './payload.ts';
import type { StoredLinks } from './stored-links.ts';

/** A record that is about to be written. */
export interface WrittenRecord {
  readonly type: ContentType;
  /** The view of the writer; absent: code of the deployment, which sees everything. */
  readonly view?: ReadView;
  readonly changes: RecordChanges;
  /** Null: it is new. */
  readonly current: { readonly record: StoredRecord; readonly links: StoredLinks } | null;
  /** What has been found wrong already. */
  readonly known: readonly FieldFault[];
}

/**
 * The fields that are shown, must have a value and have none. Of an update, those alone that it empties or shows: a record that lacked
 * a value before can still be changed elsewhere.
 */
export async function shownFaults(written: WrittenRecord): Promise<readonly FieldFault[]> {
  const { conditions } = written.type;
  if (conditions.length === 0) return [];
  const { view, type, changes, current, known } = written;
  const values: Record<string, FieldValue | null> = { ...current?.record };
  for (const [{ name }, value] of changes.values) values[name] = value;
  const readable = view === undefined ? undefined : new Set<Field>(readableFields(type, view));
  const wrong = new Set(known.map(({ field }) => /^[^.[]*/.exec(field)?.[0] ?? ''));
  const depends = dependencies(type, conditions);
  const hidden = new Set<string>();
  const faults: FieldFault[] = [];
  for (const condition of conditions) {
    const { field, required } = condition;
    const reads = depends.get(field.name) ?? new Set<string>();
    // A value that the writer may not read decides nothing: the field counts as shown.
    const isOpen = current === null || [...reads].every((name) => mayRead(type, name, readable));
    if (isOpen && !isShown(condition, values, hidden)) {
      hidden.add(field.name);
      continue;
    }
    if (!required || wrong.has(field.name) || [...reads].some((name) => wrong.has(name))) continue;
    if (!isConcerned(written, field, reads, readable)) continue;
    if (await isEmptyAfter(written, field, values[field.name] ?? null)) faults.push(faultOf(field, written, readable));
  }
  return faults;
}

/** The conditional fields that a record with these values shows. */
export function shownConditions(
  conditions: readonly FieldCondition[],
  values: StoredRecord,
): readonly FieldCondition[] {
  const hidden = new Set<string>();
  return conditions.filter((condition) => {
    const shows = isShown(condition, values, hidden);
    if (!shows) hidden.add(condition.field.name);
    return shows;
  });
}

function isShown({ rule }: FieldCondition, values: StoredRecord, hidden: ReadonlySet<string>): boolean {
  const record: RuleRecord = {
    get: (name) => (hidden.has(name) ? null : (values[name] ?? null)),
    // A condition reads the record's own fields alone.
    related: () => null,
    count: () => 0,
    holdsForAny: () => false,
  };
  return evaluateRule(rule, record, nothing);
}

const nothing = { caller: anonymous, query: new Map<string, string>(), body: null, now: '' } as const;

/** The fields that each condition depends on, also through those of others. */
function dependencies(
  type: ContentType,
  conditions: readonly FieldCondition[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const { field, rule } of conditions) {
    const names = [...rule.reads.fields].filter((name) => type.field.has(name));
    found.set(field.name, new Set(names.flatMap((name) => [name, ...(found.get(name) ?? [])])));
  }
  return found;
}

function mayRead(type: ContentType, name: string, readable: ReadonlySet<Field> | undefined): boolean {
  const field = type.field.get(name);
  return readable === undefined || (field !== undefined && readable.has(field));
}

/** Whether the write has to do with the value of the field, or with whether it is shown. */
function isConcerned(
  { type, changes, current }: WrittenRecord,
  field: Field,
  reads: ReadonlySet<string>,
  readable: ReadonlySet<Field> | undefined,
): boolean {
  if (current === null || changes.values.has(field) || changes.related.has(field)) return true;
  if (!mayRead(type, field.name, readable)) return false;
  return [...changes.values].some(([{ name }, value]) => reads.has(name) && value !== (current.record[name] ?? null));
}

async function isEmptyAfter(
  { changes, current }: WrittenRecord,
  field: Field,
  value: FieldValue | null,
): Promise<boolean> {
  if (!isLinked(field)) return value === null || value === '' || (Array.isArray(value) && value.length === 0);
  const ids = changes.related.get(field) ?? (await current?.links.some([field]))?.get(field) ?? [];
  return ids.length === 0;
}

function faultOf(field: Field, { current }: WrittenRecord, readable: ReadonlySet<Field> | undefined): FieldFault {
  const isNamed = current === null || readable === undefined || readable.has(field);
  return isNamed
    ? { field: field.name, code: 'required', message: `${field.name} is required.` }
    : { field: '', code: 'required', message: unsetMessage };
}
