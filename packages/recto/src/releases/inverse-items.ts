import { newId } from '../base/ids.ts';
import type { ContentType, Field } from '../definition/content-type.ts';
import { publishedStateOf } from '../definition/published-state.ts';
import { isVersioned } from '../definition/type-facts.ts';
import { statusPayloadsOf } from '../records/batch/batch-action.ts';
import type { HeldValues } from '../records/drafts/held-changes.ts';
import type { ItemAction, ReleaseItem } from './release.ts';

/** What the items of a taken-back release have in common. */
interface Adding {
  readonly release: string;
  readonly addedBy: string | null;
  readonly addedAt: number;
}

/** The item that brings a record back as it was before another item. `type`: as the language of the item shows it. Undefined where that one has changed nothing. */
export function inverseOf(
  type: ContentType,
  { record, language, made }: ReleaseItem,
  adding: Adding,
): ReleaseItem | undefined {
  if (record === null || made === null) return undefined;
  const of = { ...adding, id: newId(), type: type.singular, record, language };
  switch (made.kind) {
    case 'created':
      return { ...of, action: 'delete', changes: {}, base: comparable(type, made.after), kept: null, made: null };
    case 'removed': {
      const { sent, others } = parted(type, made.before);
      const kept = { values: others, creates: true };
      return { ...of, action: labelOf(type, made.before), changes: sent, base: {}, kept, made: null };
    }
    case 'updated': {
      const { sent, others } = parted(type, made.before);
      const kept = { values: others, creates: false };
      return {
        ...of,
        action: labelOf(type, made.before),
        changes: sent,
        base: comparable(type, made.after),
        kept,
        made: null,
      };
    }
  }
}

/** What callers set, and what the service keeps itself. What organized the work on the record then is no part of what comes back. */
function parted(type: ContentType, values: HeldValues): { readonly sent: HeldValues; readonly others: HeldValues } {
  const { organizing } = type.facts;
  const known = Object.entries(comparable(type, values)).filter(([name]) => !organizing.has(name));
  const isSent = ([name]: readonly [string, unknown]): boolean => type.field.get(name)?.writable === true;
  return {
    sent: Object.fromEntries(known.filter(isSent)),
    others: Object.fromEntries(known.filter((each) => !isSent(each))),
  };
}

/** Without what every write sets and what the service computes. */
const comparable = (type: ContentType, values: HeldValues): HeldValues =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => {
      const field = type.field.get(name);
      return field !== undefined && isKept(field) && !type.facts.bookkeeping.has(name);
    }),
  );

const isKept = (field: Field): boolean => field.name !== 'id' && isVersioned(field) && field.computed !== true;

/** What people read of it: by the state that the record gets back. */
function labelOf(type: ContentType, values: HeldValues): ItemAction {
  const state = publishedStateOf(type.protocols);
  if (state === undefined || !Object.hasOwn(values, state.column)) return 'publish';
  const [action = 'unpublish'] =
    [...statusPayloadsOf(type)].find(([, payload]) => payload[state.column] === values[state.column]) ?? [];
  return action;
}
