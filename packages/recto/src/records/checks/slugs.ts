import type { Executor, Query } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { slugify } from '../../definition/fields/slug.ts';
import type { RecordChanges } from './payload.ts';

/** The slug that each empty `uid` field would get if no record had it. */
function generatedSlugs(type: ContentType, { values }: RecordChanges): ReadonlyMap<Field, string> {
  const slugs = new Map<Field, string>();
  for (const field of type.facts.generatedSlugs) {
    if ((values.get(field) ?? null) !== null) continue;
    const source = type.field.get(field.options.target_field ?? '');
    const text = source === undefined ? null : values.get(source);
    slugs.set(field, typeof text === 'string' && text !== '' ? slugify(text) : type.singular);
  }
  return slugs;
}

/** Sets slugs as if no other record had them. False where a route has one of them. */
export function assignLikelySlugs(type: ContentType, changes: RecordChanges): boolean {
  for (const [field, slug] of generatedSlugs(type, changes)) {
    if (type.facts.reservedSlugs.has(slug)) return false;
    changes.values.set(field, slug);
  }
  return true;
}

/** The statement that looks for slugs: rows `SlugRow`, those that are `base` or begin with `base-`. */
export type SlugsLike = (field: Field, base: string) => Query;

interface SlugRow {
  readonly slug: string;
  /** 0: the caller may not know of the record. */
  readonly seen: number;
}

/** Gives each empty `uid` field a free slug derived from its target field. */
export async function assignFreeSlugs(
  executor: Executor,
  type: ContentType,
  changes: RecordChanges,
  like: SlugsLike,
): Promise<void> {
  for (const [field, base] of generatedSlugs(type, changes)) {
    changes.values.set(field, await freeSlugLike(executor, type, base, like(field, base)));
  }
}

/**
 * A slug, or the first of `base-2`, `base-3` … that neither one of the `like` records nor a route has. Where a record has it that is
 * not `seen`, a random ending: a number would say how many of them there are.
 */
export async function freeSlugLike(executor: Executor, type: ContentType, base: string, like: Query): Promise<string> {
  const rows = await executor.rows<SlugRow>(like);
  const seen = new Map(rows.map((row) => [row.slug, Number(row.seen) === 1]));
  for (const slug of type.facts.reservedSlugs) seen.set(slug, true);
  return freeSlug(base, seen);
}

/** `taken`: whether each slug that is taken is so by what may be known. */
function freeSlug(base: string, taken: ReadonlyMap<string, boolean>): string {
  let slug = base;
  for (let number = 2; taken.has(slug); number += 1) {
    if (taken.get(slug) === false) return randomSlug(base, taken);
    slug = `${base}-${number}`;
  }
  return slug;
}

function randomSlug(base: string, taken: ReadonlyMap<string, boolean>): string {
  for (;;) {
    const slug = `${base}-${randomEnding()}`;
    if (!taken.has(slug)) return slug;
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const endingLength = 6;

function randomEnding(): string {
  // Bytes beyond the last multiple of the letters would make some of them likelier.
  const usable = 256 - (256 % letters.length);
  let ending = '';
  while (ending.length < endingLength) {
    const [byte = usable] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < usable) ending += letters[byte % letters.length] ?? '';
  }
  return ending;
}
