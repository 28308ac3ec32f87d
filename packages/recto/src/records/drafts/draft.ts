import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import type { FieldFault } from '../../base/problem.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { draftColumnOf } from '../../definition/draft-column.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { typeInLanguage } from '../../definition/languages/types-in-language.ts';
import { perType } from '../../definition/per-type.ts';
import type { PublishedState, StoredRecord } from '../../definition/protocol.ts';
import { publishedStateOf } from '../../definition/published-state.ts';
import { isTranslated } from '../../definition/stored-field.ts';
import { CompiledSchema } from '../../values/compiled-schema.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { checkPayload, type RecordChanges } from '../checks/payload.ts';
import type { RevisionBody } from '../revisions/revision.ts';
import { jsonValue } from '../revisions/revision-body.ts';

/** The next version of a published record, in JSON form. There is none without a change. */
export interface Draft {
  readonly author: string | null;
  readonly author_kind: 'account' | 'api_token' | null;
  /** Canonical datetime. */
  readonly at: string;
  /** The fields that differ, by name. */
  readonly changes: Readonly<Record<string, JsonValue>>;
  /** What these fields held in the record when they were drafted. */
  readonly base: Readonly<Record<string, JsonValue>>;
}

/** How a type's records have drafts. */
export interface Drafts {
  readonly field: Field;
  readonly published: PublishedState;
}

/** Undefined: records of the type have no drafts. */
export function draftsOf({ protocols, field }: ContentType): Drafts | undefined {
  const published = publishedStateOf(protocols);
  const column = draftColumnOf(protocols);
  const found = column === undefined ? undefined : field.get(column);
  return published === undefined || found === undefined ? undefined : { field: found, published };
}

/** For types that are known to have drafts. */
export function requireDrafts(type: ContentType): Drafts {
  const drafts = draftsOf(type);
  if (drafts === undefined) throw new Error(`Records of ${type.singular} have no drafts.`);
  return drafts;
}

export function draftIn({ field }: Drafts, record: Readonly<Record<string, unknown>>): Draft | null {
  // The column only ever gets a draft: it is not written by callers, and an import holds it against the schema.
  return (record[field.name] ?? null) as Draft | null;
}

/** The fields that a payload sets and that can be drafted, in JSON form. */
export function draftedValues(type: ContentType, { values, related }: RecordChanges): ReadonlyMap<string, JsonValue> {
  const undraftable = undraftableNames(type);
  const all: [Field, JsonValue][] = [
    ...[...values].map(([field, value]): [Field, JsonValue] => [field, jsonValue(value)]),
    ...related,
  ];
  return new Map(all.flatMap(([{ name }, value]) => (undraftable.has(name) ? [] : [[name, value]])));
}

/** What bypasses the draft and applies at once: the status, what organizes the work on the record, and secret fields. */
function undraftableNames(type: ContentType): ReadonlySet<string> {
  const secret = type.fields.filter((field) => field.type.secret).map(({ name }) => name);
  return new Set([requireDrafts(type).published.column, ...type.facts.organizing, ...secret]);
}

/** Fields that a payload would change and that a draft cannot have. */
export function undraftableFaults(
  type: ContentType,
  { values }: RecordChanges,
  current: StoredRecord,
): readonly FieldFault[] {
  const undraftable = undraftableNames(type);
  return [...values].flatMap(([{ name }, value]) =>
    !undraftable.has(name) || value === (current[name] ?? null)
      ? []
      : [
          {
            field: name,
            code: 'not_in_draft',
            message: `A draft cannot change ${name}: change it in the record itself.`,
          },
        ],
  );
}

/** Fields that a draft of another language than the default would change although they have one value for all languages. */
export function sharedFaults(
  { shownIn, field }: ContentType,
  drafted: ReadonlyMap<string, JsonValue>,
  live: RevisionBody,
): readonly FieldFault[] {
  if (shownIn === undefined) return [];
  return [...drafted].flatMap(([name, value]) => {
    const own = field.get(name);
    if (own === undefined || isTranslated(own) || isDeepStrictEqual(value, live[name] ?? null)) return [];
    const message = `${name} has one value for all languages: change it in the draft of the default language.`;
    return [{ field: name, code: 'not_in_draft', message }];
  });
}

/** A draft with more changes. What is as the record has it is none; null where nothing is left. */
export function mergedDraft(
  draft: Draft | null,
  live: RevisionBody,
  sent: ReadonlyMap<string, JsonValue>,
  author: Pick<Draft, 'author' | 'author_kind' | 'at'>,
): Draft | null {
  const changes = new Map(Object.entries(draft?.changes ?? {}));
  const base = new Map(Object.entries(draft?.base ?? {}));
  for (const [name, value] of sent) {
    const now = live[name] ?? null;
    if (isDeepStrictEqual(value, now)) {
      changes.delete(name);
      base.delete(name);
    } else {
      if (!changes.has(name)) base.set(name, now);
      changes.set(name, value);
    }
  }
  if (changes.size === 0) return null;
  return { ...author, changes: Object.fromEntries(changes), base: Object.fromEntries(base) };
}

/** The drafted fields that have been changed in the record as well since they were drafted, and not to the same. */
export const conflictsOf = ({ changes, base }: Draft, live: RevisionBody): readonly string[] =>
  Object.keys(changes).filter((name) => {
    const now = live[name] ?? null;
    return !isDeepStrictEqual(now, base[name] ?? null) && !isDeepStrictEqual(now, changes[name] ?? null);
  });

/** The draft of a record that is put back. */
export interface RestoredDraft {
  readonly field: Field;
  readonly value: FieldValue | null;
  readonly faults: readonly FieldFault[];
}

/**
 * The draft among the values of a record that is put back, with its own values checked and sanitised as those of the record are: they
 * are shown to editors before they are published. Fields that the type does not have any more are left out. Undefined: there is none.
 */
export function restoredDraft(
  type: ContentType,
  values: ReadonlyMap<Field, FieldValue | null>,
): RestoredDraft | undefined {
  const field = draftsOf(type)?.field;
  const draft = field && (values.get(field) ?? null);
  if (field === undefined || draft === null) return undefined;
  // True because the value was held against the schema of drafts.
  const { changes, base, ...by } = draft as unknown as Draft;
  const checked = checkedValues(type, changes);
  const faults = checked.faults.map((fault) => ({ ...fault, field: `${field.name}.changes.${fault.field}` }));
  const names = Object.keys(checked.values);
  if (names.length === 0) return { field, value: null, faults };
  const before = checkedValues(type, Object.fromEntries(Object.entries(base).filter(([name]) => names.includes(name))));
  return { field, value: { ...by, changes: checked.values, base: before.values }, faults };
}

function checkedValues(type: ContentType, sent: Draft['changes']) {
  const known = Object.entries(sent).filter(([name]) => type.field.has(name));
  const checked = checkPayload(type, Object.fromEntries(known), 'update');
  const values: Record<string, JsonValue> = Object.fromEntries(draftedValues(type, checked));
  return { values, faults: checked.faults };
}

/** What a column with drafts may hold. */
const draftSchema = perType((type) => {
  const field = draftsOf(type)?.field;
  return new CompiledSchema(
    Type.Object(field === undefined ? {} : { [field.name]: Type.Optional(field.type.input(field)) }),
  );
});

/** As `restoredDraft`, of a record that is put back, in other languages than the default. */
export function restoredDrafts(
  type: ContentType,
  others: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): {
  readonly values: ReadonlyMap<string, ReadonlyMap<Field, FieldValue | null>>;
  readonly faults: readonly FieldFault[];
} {
  const values = new Map<string, ReadonlyMap<Field, FieldValue | null>>();
  const faults: FieldFault[] = [];
  const field = draftsOf(type)?.field;
  for (const [tag, sent] of field === undefined ? [] : others) {
    if (field === undefined || sent[field.name] === undefined) continue;
    const named = (fault: FieldFault): FieldFault => ({ ...fault, field: fault.field.replace(/^[^.[]+/, `$&.${tag}`) });
    const wrong = draftSchema(type).faults({ [field.name]: sent[field.name] });
    faults.push(...wrong.map(named));
    if (wrong.length > 0) continue;
    const language = type.languages?.find(tag);
    const read = type.languages && language && readLanguage(type.languages, language, false, 'admin');
    const shown = read === undefined ? type : typeInLanguage(type, read);
    // True because it was held against the schema of drafts.
    const value = sent[field.name] as FieldValue;
    const draft = restoredDraft(shown, new Map([[shown.field.get(field.name) ?? field, value]]));
    if (draft === undefined) continue;
    faults.push(...draft.faults.map(named));
    values.set(tag, new Map([[field, draft.value]]));
  }
  return { values, faults };
}
