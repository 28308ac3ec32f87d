import type { ContentType } from '../../definition/content-type.ts';
import { type FormerRecord, type SightQuery, wasVisible } from '../../records/read/previous-visibility.ts';
import type { Records } from '../../records/records.ts';
import { readImage } from '../before-image.ts';
import { languageOfEvent } from '../event-languages.ts';
import type { FullEvent } from '../logged-event.ts';
import { shownChange } from './hidden-change.ts';
import type { StreamInterest } from './stream-interest.ts';
import { changeMessage, deleteMessage, notificationMessage, type StreamMessage } from './stream-message.ts';
import { notificationEvents } from './stream-types.ts';

/** What is read and judged once for all who are sent the same events. */
export class SharedSights {
  /** By type. */
  readonly stored = new Map<ContentType, Promise<ReadonlyMap<string, FormerRecord>>>();
  /** By what makes records visible: callers for whom the same holds share them. */
  readonly visible = new Map<string, Promise<ReadonlyMap<string, string>>>();
}

/** Messages, or `reset` where what a caller could see before can no longer be known. */
export type Messages = readonly StreamMessage[] | 'reset';

/**
 * What events mean to a caller, in their order. A record is sent as `get` shows it at this moment. One that `get` does not show is
 * a `delete` if it was visible before the change, and nothing otherwise. Nor is a change of what `get` does not show.
 */
export async function messagesOf(
  interest: StreamInterest,
  events: readonly FullEvent[],
  shared: SharedSights,
): Promise<Messages> {
  const { records, types, caller, filters } = interest;
  const byType = Map.groupBy(events, ({ type }) => type);
  const visible = new Map<string, ReadonlyMap<string, string>>();
  for (const type of types) {
    const some = byType.get(type.singular);
    if (some === undefined) continue;
    const ids = [...new Set(some.map(({ record }) => record))];
    const query = { type, caller, filter: filters.get(type) ?? null };
    visible.set(type.singular, await sightOf(records, query, ids, shared));
  }
  const messages: StreamMessage[] = [];
  for (const event of events) {
    if (event.type === notificationEvents && event.record === interest.account) {
      messages.push(notificationMessage(event.seq));
      continue;
    }
    const type = types.find(({ singular }) => singular === event.type);
    if (type === undefined) continue;
    const message = messageOf(interest, type, event, visible.get(event.type)?.get(event.record));
    if (message === 'reset') return message;
    if (message !== undefined) messages.push(message);
  }
  return messages;
}

/**
 * The records that are visible now, by id. Rules are evaluated on the stored records first, so that nothing is read for the many who
 * see none of them; what is sent is what the database finds visible.
 */
async function sightOf(
  records: Records,
  query: SightQuery,
  ids: readonly string[],
  shared: SharedSights,
): Promise<ReadonlyMap<string, string>> {
  const { visible } = records;
  return once(shared.visible, visible.key(query), async () => {
    const stored = await once(shared.stored, query.type, () => visible.stored(query.type, ids));
    if (![...stored.values()].some((record) => wasVisible(record, query) !== false)) return none;
    return visible.read(query, ids);
  });
}

const none: ReadonlyMap<string, string> = new Map();

function once<K, V>(known: Map<K, Promise<V>>, key: K, read: () => Promise<V>): Promise<V> {
  const reading = known.get(key) ?? read();
  known.set(key, reading);
  return reading;
}

function messageOf(
  interest: StreamInterest,
  type: ContentType,
  event: FullEvent,
  record: string | undefined,
): StreamMessage | 'reset' | undefined {
  const { seq, record: id, action } = event;
  const key = `${type.singular}:${id}`;
  if (record !== undefined) {
    if (isHidden(interest, type, event, key)) return undefined;
    interest.sent.add(key);
    const language = languageOfEvent(type, event);
    return changeMessage(action === 'create' ? 'create' : 'update', { seq, type: type.singular, id, language, record });
  }
  const verdict = interest.sent.has(key) || sawBefore(interest, type, event);
  if (verdict === 'reset' || !verdict) return verdict === 'reset' ? verdict : undefined;
  interest.sent.delete(key);
  return deleteMessage(seq, type.singular, id);
}

/** Whether the caller sees the same record as before the change: that a value changed which they may not read is no event. */
function isHidden(interest: StreamInterest, type: ContentType, event: FullEvent, key: string): boolean {
  switch (shownChange(type, event, interest.languages)) {
    case 'none':
      return true;
    case 'visibility':
      return interest.sent.has(key) || sawBefore(interest, type, event) === true;
    case 'record':
      return false;
  }
}

/** What is kept of before a change is what the default language said. */
function inItsLanguage(former: FormerRecord): FormerRecord {
  const { type, known } = former;
  if (type.shownIn === undefined) return former;
  return { ...former, known: new Set([...known].filter((name) => type.field.get(name)?.localized !== true)) };
}

/** How old an event may be whose values of before the change are kept, with room for clocks that differ, in milliseconds. */
const imageMs = 20 * 3_600_000;

function sawBefore(interest: StreamInterest, type: ContentType, event: FullEvent): boolean | 'reset' {
  const { action, before, at } = event;
  if (action === 'create') return false;
  if (before === null) return Date.parse(at) < Date.now() - imageMs ? 'reset' : false;
  const former = readImage(type, before, at);
  if (former === 'outdated') return 'reset';
  const { caller, filters } = interest;
  return wasVisible(inItsLanguage(former), { type, caller, filter: filters.get(type) ?? null }) ?? false;
}
