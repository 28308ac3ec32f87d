import { isDeepStrictEqual } from 'node:util';
import { forbidden, type Problem } from '../../base/problem.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { publishedStateOf } from '../../definition/published-state.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import type { RecordChanges } from './payload.ts';
import type { StoredLinks } from './stored-links.ts';

/** Whether a payload may name a field: one that the view shows, or a secret, which none shows. Any other is no field to the sender. */
export const namesField =
  (type: ContentType, view: ReadView): ((field: Field) => boolean) =>
  (field) =>
    view.audience === 'public' || field.type.secret || view.rights.of(type).reads(field);

/**
 * Throws 403 where a new record has a value that the role may not write and that it would not have by itself. `names` are those
 * that were sent.
 */
export function requireWritableNew(
  type: ContentType,
  view: ReadView,
  { values, related }: RecordChanges,
  names: ReadonlySet<string>,
): void {
  if (view.audience === 'public') return;
  const rights = view.rights.of(type);
  const published = publishedColumn(type);
  for (const [field, value] of [...values, ...related]) {
    if (rights.writes(field) || !names.has(field.name) || field.name === published) continue;
    if (!isDeepStrictEqual(value, field.default ?? (related.has(field) ? [] : null))) throw notWritable(field);
  }
}

/** Throws 403 where an update changes a field that the role may not write. What is sent as it is stored is no change. */
export async function requireWritable(
  type: ContentType,
  view: ReadView,
  { values, related }: RecordChanges,
  current: StoredRecord,
  links: StoredLinks,
): Promise<void> {
  if (view.audience === 'public') return;
  const rights = view.rights.of(type);
  const published = publishedStateOf(type.protocols);
  for (const [field, value] of values) {
    const stored = current[field.name] ?? null;
    if (rights.writes(field) || isDeepStrictEqual(value, stored)) continue;
    // A move into or out of the published state is another right.
    if (field.name === published?.column && (value === published.value || stored === published.value)) continue;
    throw notWritable(field);
  }
  for (const [field, ids] of related) {
    if (!rights.writes(field) && !isDeepStrictEqual(ids, await links.of(field))) throw notWritable(field);
  }
}

const notWritable = ({ name }: Field): Problem => forbidden('insufficient_role', `Your role may not change ${name}.`);

const publishedColumn = ({ protocols }: ContentType): string | undefined => publishedStateOf(protocols)?.column;

/** Whether a stored record is published. */
export function isPublished({ protocols }: ContentType, record: StoredRecord): boolean {
  const published = publishedStateOf(protocols);
  return published !== undefined && record[published.column] === published.value;
}

/**
 * Whether a write makes a record published, or one that was published something else, now or at a time. `current` is null for a new
 * record.
 */
export function movesPublished(type: ContentType, current: StoredRecord | null, { values }: RecordChanges): boolean {
  const published = publishedStateOf(type.protocols);
  if (published === undefined) return false;
  const planned = new Set(type.protocols.flatMap(({ protocol, options }) => protocol.scheduled?.(options)?.at ?? []));
  for (const [{ name }, value] of values) {
    const stored = current?.[name] ?? null;
    if (isDeepStrictEqual(value, stored)) continue;
    if (name === published.column && (value === published.value || stored === published.value)) return true;
    if (planned.has(name)) return true;
  }
  return false;
}
