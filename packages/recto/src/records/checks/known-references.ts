import type { Caller } from '../../base/caller.ts';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import { rightsOf } from '../../definition/rights/read-view.ts';
import { hidesPrivate } from '../../definition/structure/structure-items.ts';

/** What a caller of the admin routes may know of records that refer to another by a field. */
export interface KnownReference {
  /** Whether there is such a field. */
  readonly field: boolean;
  /** Whether it is a certain record's: the log and the places of references do not know which ones a rule holds for. */
  readonly record: boolean;
}

/** By the rights of the caller's role. Of a field with private fields inside it, who does not read these knows nothing. */
export function knownReference(
  types: ContentTypes,
  caller: Caller,
  { owner, field }: { readonly owner: ContentType; readonly field: Field },
): KnownReference {
  const rights = rightsOf(caller, types.roles);
  const known = rights.of(owner);
  const isRead = known.reads(field) && (rights.readsPrivateMembers || !hidesPrivate(field));
  return { field: isRead && known.rows.get !== 'none', record: isRead && known.rows.get === 'all' };
}
