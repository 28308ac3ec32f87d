import { isDeepStrictEqual } from 'node:util';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import { perType } from '../../definition/per-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { changedNames } from '../../definition/structure/private-members.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Links } from '../checks/stored-links.ts';
import type { RevisionBody } from './revision.ts';

/** Whether versions hold the field. A password's hash is in none: what is never shown must not be restored either. */
export const isVersioned = ({ place, type }: Field): boolean =>
  place.shape !== 'inverse' && !type.secret && type.unversioned !== true;

/** A stored record in JSON form. */
export function revisionBody(type: ContentType, record: StoredRecord, links: Links): RevisionBody {
  const body: Record<string, JsonValue> = {};
  for (const field of versionedFields(type)) {
    body[field.name] =
      field.place.shape === 'to_many' ? (links.get(field) ?? []) : jsonValue(record[field.name] ?? null);
  }
  return body;
}

/** A 64-bit integer travels as text. */
export const jsonValue = (value: FieldValue | null): JsonValue => (typeof value === 'bigint' ? String(value) : value);

/** The fields that differ, but for those that every write sets; see `changedNames`. */
export function changedFields(type: ContentType, before: RevisionBody, after: RevisionBody): readonly string[] {
  const bookkeeping = bookkeepingOf(type);
  return Object.keys(after).flatMap((name) => {
    const [old, made] = [before[name] ?? null, after[name] ?? null];
    if (bookkeeping.has(name) || isDeepStrictEqual(old, made)) return [];
    const field = type.field.get(name);
    return field === undefined ? [name] : changedNames(field, old, made);
  });
}

/** The columns that every write sets. */
export const bookkeepingOf = perType(
  ({ protocols }): ReadonlySet<string> => new Set(protocols.flatMap(({ protocol }) => protocol.bookkeeping ?? [])),
);

/** The names of a type's private fields. */
export const privateNames = perType(
  ({ fields }): ReadonlySet<string> => new Set(fields.filter((field) => field.private).map(({ name }) => name)),
);

/** The fields that versions hold. */
export const versionedFields = perType(({ fields }): readonly Field[] => fields.filter(isVersioned));
