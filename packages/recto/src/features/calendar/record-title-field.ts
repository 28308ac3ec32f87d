import type { ContentType, Field } from '../../definition/content-type.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';

/** The types of fields whose values can stand for a record. */
const short: ReadonlySet<string> = new Set(['text', 'uid', 'email', 'enum', 'integer', 'bigint', 'decimal', 'date']);
const usualNames = ['title', 'name', 'label', 'headline', 'subject', 'email', 'slug', 'file_name', 'filename'];

/** The field that a record is called by, of those that a view shows, as the admin chooses it; undefined: none. */
export function recordTitleField(type: ContentType, view: ReadView): Field | undefined {
  const readable = readableFields(type, view);
  const hint = type.definition.admin?.title_field;
  const hinted = hint === undefined ? undefined : readable.find(({ name }) => name === hint);
  if (hinted !== undefined) return hinted;
  const own = readable.filter((field) => field.origin !== 'engine' && short.has(field.type.name));
  const usual = usualNames.map((name) => own.find((field) => field.name === name)).find((field) => field !== undefined);
  return usual ?? own.find((field) => field.type.name === 'text');
}
