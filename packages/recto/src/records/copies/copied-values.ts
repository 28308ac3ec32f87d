import type { ContentType, Field } from '../../definition/content-type.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { isLinked, isToOne } from '../../definition/stored-field.ts';
import { isMembers, itemsOf, memberOf, partFields } from '../../definition/structure/structure-items.ts';
import { isUnique } from '../../definition/type-facts.ts';
import type { JsonRecord } from '../read/references.ts';

/** The ids that copies have, by those of what they are copies of. */
export type CopyIds = ReadonlyMap<string, string>;

/** The fields that protocols add and that are content: the place in a tree, and metadata. */
const contentOfProtocols = (type: ContentType, { name }: Field): boolean =>
  name === type.facts.tree?.parent || name === '__meta';

/** Whether a copy takes a field over: states, times at which something happens and what the service keeps begin anew. */
function isCopied(type: ContentType, field: Field): boolean {
  if (!field.writable || field.type.secret || field.type.alwaysUnique) return false;
  return field.origin === 'declared' || contentOfProtocols(type, field);
}

/**
 * What a copy of a record is created with: of the record as the admin routes show it to the caller, the values that they may write.
 * What no two records may have is left out, unless it leads to another copy.
 */
export function copiedValues(
  type: ContentType,
  view: ReadView,
  record: JsonRecord,
  ids: CopyIds,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const field of type.fields) {
    const value = record[field.name];
    if (value === undefined || value === null || !isCopied(type, field)) continue;
    if (view.audience === 'admin' && !view.rights.of(type).writes(field)) continue;
    const copied = copiedValue(field, value, ids);
    if (isUnique(field) && copied === value) continue;
    values[field.name] = copied;
  }
  return values;
}

/** A value that leads to what is copied leads to the copy, and blocks have ids of their own. */
export function copiedValue(field: Field, value: unknown, ids: CopyIds): unknown {
  const { structure } = field;
  if (structure === undefined) {
    if (!field.type.relates) return value;
    if (isLinked(field) && Array.isArray(value)) return value.map((id) => ids.get(String(id)) ?? id);
    return isToOne(field) ? (ids.get(String(value)) ?? value) : value;
  }
  const items = itemsOf(structure, value).map(({ value: item, part }) => {
    if (part === undefined) return item;
    if (part.item !== null) return copiedValue(part.item, item, ids);
    if (!isMembers(item)) return item;
    const { id, ...members } = item;
    const copied: Record<string, unknown> = structure.tagged ? members : { ...item };
    for (const inner of partFields(part)) {
      const member = memberOf(part, inner, item);
      if (member !== undefined && member !== null) copied[inner.name] = copiedValue(inner, member, ids);
    }
    return copied;
  });
  return structure.many ? items : (items[0] ?? null);
}
