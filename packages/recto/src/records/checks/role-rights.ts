import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../base/caller.ts';
import { forbidden, type Problem } from '../../base/problem.ts';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { publishedStateOf } from '../../definition/published-state.ts';
import { readsPrivate } from '../../definition/readable-fields.ts';
import { type ReadView, rightsOf } from '../../definition/rights/read-view.ts';
import type { PayloadSender, RecordChanges } from './payload.ts';
import type { StoredLinks } from './stored-links.ts';

/** How a payload is sent through a view: whoever does not read private fields inside others on the admin routes does not write them. */
export const sendingOf = (type: ContentType, view: ReadView, keepsPrivate: boolean): PayloadSender => ({
  keepsPrivate,
  names: namesField(type, view),
  knowsNoPrivate: view.audience === 'admin' && !readsPrivate(view),
});

/** Whether a payload may name a field: one that the view shows, or a secret, which none shows. Any other is no field to the sender. */
const namesField =
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
  const published = publishedStateOf(type.protocols);
  for (const [field, value] of [...values, ...related]) {
    if (rights.writes(field) || !names.has(field.name)) continue;
    // To publish is another right.
    if (field.name === published?.column && value === published.value) continue;
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
    if (field.localized) requireLanguage(type, view);
    throw notWritable(field);
  }
  for (const [field, ids] of related) {
    if (!rights.writes(field) && !isDeepStrictEqual(ids, await links.of(field))) throw notWritable(field);
  }
}

/** Throws 403 where the role may not write what records say in the language that the type is shown in. */
export function requireLanguage(type: ContentType, view: ReadView): void {
  if (view.audience === 'public' || view.rights.of(type).writesLanguage) return;
  const tag = (type.shownIn?.read.language ?? type.languages?.default)?.tag ?? '';
  throw forbidden('insufficient_role', `Your role may not write in the language "${tag}".`);
}

/**
 * Throws 403 where the caller's role may not set a place by a route that is for that: it does not read it, or may not write what callers
 * write. Whatever the place is: the role does not learn whether it is the one of now.
 */
export function requirePlacing(type: ContentType, caller: Caller, { roles }: ContentTypes, name: string): void {
  const field = type.field.get(name);
  if (field === undefined) return;
  const rights = rightsOf(caller, roles).of(type);
  if (!rights.reads(field) || (field.writable && !rights.writes(field))) throw notWritable(field);
}

const notWritable = ({ name }: Field): Problem => forbidden('insufficient_role', `Your role may not change ${name}.`);

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
