import type { ContentType } from '../../definition/content-type.ts';
import type { IncludeTree } from '../../query/include-tree.ts';
import { type Answer, answerOf } from '../answer.ts';
import { withinBudget } from '../answer-budget.ts';
import { cutRecord, totalName } from '../cut-lists.ts';
import { populate } from '../populate/populate.ts';
import type { Reading } from '../populate/read-references.ts';
import { countIncluded, type JsonRecord } from '../populate/references.ts';
import { draftIn, requireDrafts } from './draft.ts';

/** The record as it would be: the admin view, as `answer` has it with `include`, with the changes of its draft. */
export async function previewDraft(
  type: ContentType,
  answer: Answer,
  { include, ...reading }: Reading & { readonly include: IncludeTree },
): Promise<Answer> {
  // The admin view of a record is a JSON object.
  const record = JSON.parse(String(answer.body)) as JsonRecord;
  const draft = draftIn(requireDrafts(type), record);
  if (draft === null) return answer;
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
  const text = JSON.stringify({ ...Object.fromEntries(kept), ...shown });
  return answerOf(withinBudget(text, reading.context.budget));
}
