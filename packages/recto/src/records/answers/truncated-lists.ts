import type { FieldFault } from '../../base/problem.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { isLinked, isToMany, mediaOf } from '../../definition/stored-field.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** A record shows at most so many ids of a relation. Of more, it says how many there are. */
export const mostIds = 1_000;

/** A field of files has no more of them than are shown. */
const isOfFiles = (field: Field): boolean => isLinked(field) && mediaOf(field) !== undefined;

/** The member that has the number of ids where some are left out; undefined where the type has a field of that name, which goes first. */
export function totalName(type: ContentType, field: Field): string | undefined {
  const name = `${field.name}_total`;
  return !isToMany(field) || isOfFiles(field) || type.field.has(name) ? undefined : name;
}

/**
 * How a statement says that a list is longer: its last element is a text that begins with this. No stored text reads so in
 * an answer, because JSON writes a letter as itself.
 */
export const truncationMark = '"\\u0072:';

/** An answer with a list that was cut has at least so many characters. */
export const shortestTruncated = mostIds * 38;

/** A list whose number is not in the answer yet. */
export interface ListReference {
  /** As the mark has it. */
  readonly key: string;
  /** A content type's singular name. */
  readonly type: string;
  readonly field: string;
  /** The record's id. */
  readonly id: string;
}

/** The references in an answer's text, each once. */
export function listReferences(text: string): readonly ListReference[] {
  if (text.length < shortestTruncated) return [];
  const found = new Map<string, ListReference>();
  for (
    let at = text.indexOf(truncationMark);
    at !== -1;
    at = text.indexOf(truncationMark, at + truncationMark.length)
  ) {
    const key = text.slice(at + truncationMark.length, text.indexOf('"', at + truncationMark.length));
    const [type, field, id] = key.split('.');
    if (type !== undefined && field !== undefined && id !== undefined) found.set(key, { key, type, field, id });
  }
  return [...found.values()];
}

/** The answer with its marked lists cut, each with its number beside it; `totals` has those of references. */
export function cutMarked(body: string, totals: ReadonlyMap<string, number> = new Map()): string {
  if (body.length < shortestTruncated) return body;
  let at = body.indexOf(truncationMark);
  if (at === -1) return body;
  let done = 0;
  let text = '';
  for (; at !== -1; at = body.indexOf(truncationMark, done)) {
    // Ids hold no brackets, so that these are the list's own.
    const [start, end] = [body.lastIndexOf('[', at), body.indexOf(']', at) + 1];
    const ids = (JSON.parse(body.slice(start, end)) as readonly string[]).slice(0, mostIds);
    const marked = body.slice(at + truncationMark.length, end - 2);
    const total = totals.get(marked) ?? marked;
    const name = body.slice(body.lastIndexOf('"', start - 3) + 1, start - 2);
    text += `${body.slice(done, start)}${JSON.stringify(ids)}`;
    if (total !== '') text += `,"${name}_total":${total}`;
    done = end;
  }
  return text + body.slice(done);
}

/** A record in JSON form with its long lists cut, each with its number beside it. */
export function cutRecord(
  type: ContentType,
  record: Readonly<Record<string, JsonValue>>,
): Readonly<Record<string, JsonValue>> {
  const isLong = (value: JsonValue): value is JsonValue[] => Array.isArray(value) && value.length > mostIds;
  const long = type.fields.filter((field) => isToMany(field) && isLong(record[field.name] ?? null));
  if (long.length === 0) return record;
  const names = new Map(long.map((field) => [field.name, totalName(type, field)]));
  const entries = Object.entries(record).flatMap(([name, value]): [string, JsonValue][] => {
    if (!names.has(name) || !isLong(value)) return [[name, value]];
    const total = names.get(name);
    const cut: [string, JsonValue] = [name, value.slice(0, mostIds)];
    return total === undefined ? [cut] : [cut, [total, value.length]];
  });
  return Object.fromEntries(entries);
}

/**
 * What is wrong with a member of a payload that has a list's number, as a record that is sent back whole has it: stored as
 * it is, a list that was cut would end the relation to what was left out. Undefined for any other name.
 */
export function totalFault(
  type: ContentType,
  name: string,
  payload: Readonly<Record<string, unknown>>,
): { readonly fault: FieldFault | undefined } | undefined {
  const field = name.endsWith('_total') ? type.field.get(name.slice(0, -'_total'.length)) : undefined;
  if (field === undefined || totalName(type, field) !== name) return undefined;
  const [list, total] = [payload[field.name], payload[name]];
  const isCut = field.writable && Array.isArray(list) && typeof total === 'number' && list.length < total;
  if (!isCut) return { fault: undefined };
  const message = `Has ${list.length} of ${total} ids: leave it out to keep them all, or leave out ${name} to keep only these.`;
  return { fault: { field: field.name, code: 'incomplete', message } };
}
