import type { ContentType } from '../../definition/content-type.ts';
import type { FieldSelection, IncludeTree } from '../../query/record-parts.ts';
import { type Answer, answerOf, withinBudget } from '../answers/answer.ts';
import { cutRecord, totalName } from '../answers/truncated-lists.ts';
import { isLanguageMember, languageMembers } from '../plans/shown-languages.ts';
import { populate } from '../read/populate.ts';
import type { Reading } from '../read/read-references.ts';
import { countIncluded, type JsonRecord } from '../read/references.ts';
import { mayName } from '../select/may-member.ts';
import { type Draft, draftIn, requireDrafts } from './draft.ts';

interface PreviewParts extends Reading {
  readonly include: IncludeTree;
  readonly fields: FieldSelection;
}

/**
 * The record as it would be: the admin view, as `answer` has it whole and with `include`, with the changes of its draft. Of that, what
 * `fields` selects.
 */
export async function previewDraft(type: ContentType, answer: Answer, parts: PreviewParts): Promise<Answer> {
  const { include, fields, ...reading } = parts;
  // The admin view of a record is a JSON object.
  const record = JSON.parse(String(answer.body)) as JsonRecord;
  const draft = draftIn(requireDrafts(type), record);
  if (draft === null && fields === null) return answer;
  const whole = draft === null ? record : await withDraft(type, record, draft, { include, ...reading });
  const isShown = shownMembers(type, fields, include);
  const text = JSON.stringify(Object.fromEntries(Object.entries(whole).filter(([name]) => isShown(name))));
  return answerOf(withinBudget(text, reading.context.budget));
}

/** Which members of the admin view of a record `fields` and `include` ask for. */
function shownMembers(type: ContentType, fields: FieldSelection, include: IncludeTree): (name: string) => boolean {
  if (fields === null) return () => true;
  const included = include.map(({ name }) => name);
  // A relation that is populated has no number of ids; a field beside which the record is shown is not selected by that.
  const selected = fields.flatMap((field) => [field.name, totalName(type, field)]);
  const names = new Set([...selected, ...included, mayName]);
  return (name) => names.has(name) || isLanguageMember(name);
}

async function withDraft(
  type: ContentType,
  record: JsonRecord,
  draft: Draft,
  { include, ...reading }: Omit<PreviewParts, 'fields'>,
): Promise<JsonRecord> {
  // A removed field is in no record.
  const changes = Object.entries(draft.changes).filter(([name]) => Object.hasOwn(record, name));
  const changed = new Set(changes.map(([name]) => name));
  // The number of ids is of the list that the draft replaces.
  const totals = new Set(
    changes.map(([name]) => {
      const field = type.field.get(name);
      return field && totalName(type, field);
    }),
  );
  const branches = include.filter(({ field }) => changed.has(field.name));
  const isIncluded = new Set(branches.map(({ field }) => field.name));
  const ids = cutRecord(type, Object.fromEntries(changes.filter(([name]) => !isIncluded.has(name))));
  const others = include.filter((branch) => !branches.includes(branch));
  const shown = await populate(
    type,
    { ...ids, ...Object.fromEntries(changes.filter(([name]) => isIncluded.has(name))) },
    { ...reading, include: branches, showsFiles: true, included: countIncluded(record, others) },
  );
  const kept = Object.entries(record).filter(([name]) => !totals.has(name));
  return { ...Object.fromEntries(kept), ...shown, ...ownFallbacks(type, record, changed) };
}

/** Of the fields in which another language stands in, those that the draft leaves as they are. */
function ownFallbacks({ shownIn }: ContentType, record: JsonRecord, changed: ReadonlySet<string>): JsonRecord {
  const names = record[languageMembers.fallback];
  if (shownIn === undefined || !Array.isArray(names)) return {};
  return { [languageMembers.fallback]: names.filter((name) => typeof name === 'string' && !changed.has(name)) };
}
