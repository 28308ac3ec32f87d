import { isDeepStrictEqual } from 'node:util';
import type { ContentType } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { isLinked } from '../../definition/stored-field.ts';
import { changedNames } from '../../definition/structure/private-members.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Links } from '../checks/stored-links.ts';
import type { RevisionBody } from './revision.ts';

/** A stored record in JSON form. */
export function revisionBody(type: ContentType, record: StoredRecord, links: Links): RevisionBody {
  const body: Record<string, JsonValue> = {};
  for (const field of type.facts.versioned) {
    body[field.name] = isLinked(field) ? (links.get(field) ?? []) : jsonValue(record[field.name] ?? null);
  }
  return body;
}

/** A 64-bit integer travels as text. */
export const jsonValue = (value: FieldValue | null): JsonValue => (typeof value === 'bigint' ? String(value) : value);

/** The fields that differ, but for those that every write sets; see `changedNames`. */
export function changedFields(type: ContentType, before: RevisionBody, after: RevisionBody): readonly string[] {
  const bookkeeping = type.facts.bookkeeping;
  return Object.keys(after).flatMap((name) => {
    const [old, made] = [before[name] ?? null, after[name] ?? null];
    if (bookkeeping.has(name) || isDeepStrictEqual(old, made)) return [];
    const field = type.field.get(name);
    return field === undefined ? [name] : changedNames(field, old, made);
  });
}
