import { adminPath } from '../../api/admin-path.ts';
import type { CalendarEntry } from '../../api/calendar-routes.ts';
import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { newId } from '../../api/new-id.ts';
import { tagOf } from '../../api/tag-of.ts';
import type { session } from '../../app/session.svelte.ts';
import { instantOf, localTime } from '../../fields/date/zoned.ts';

type Client = typeof session.client;

/** Somebody else has moved it since the calendar was loaded. Theirs stays. */
export class MovedMeanwhile extends Error {
  override readonly name = 'MovedMeanwhile';
}

/** The same time of day on another day, as the clocks of a zone show it. */
export function timeOnDay(at: string, date: string, zone: string): string {
  const [, time = '00:00'] = localTime(at, zone).split('T');
  return instantOf(`${date}T${time}`, zone) ?? at;
}

/** The field of a record that says when. */
const fields = { status: 'scheduled_at', due: 'due_at' } as const;

/**
 * Gives an entry another time. What was on the calendar is compared with what is stored, and a change that comes in between is a conflict:
 * rejects with `MovedMeanwhile` where somebody else was first.
 */
export async function moveEntry(
  client: Client,
  entry: CalendarEntry,
  at: string,
  type: Pick<ContentTypeInfo, 'plural'> | undefined,
): Promise<void> {
  if (entry.kind === 'release') return moveRelease(client, entry, at);
  if (type === undefined) throw new Error('A record has a type.');
  const field = fields[entry.kind];
  const path = `${adminPath(type)}/${entry.id}`;
  const query = entry.language === null ? {} : { language: entry.language };
  const { known, tag } = await client.request('GET', path, { query }, async (response) => {
    const record: unknown = await response.json();
    const known: unknown = typeof record === 'object' && record !== null ? Reflect.get(record, field) : undefined;
    return { known, tag: tagOf(response) };
  });
  if (known !== entry.at) throw new MovedMeanwhile();
  const headers = { 'If-Match': tag ?? undefined, 'Idempotency-Key': newId() };
  await guarded(client.request('PUT', path, { query, body: { [field]: at }, headers }));
}

/** A release that is only planned is not scheduled by being moved. */
async function moveRelease(client: Client, { id, status, at: known }: CalendarEntry, at: string): Promise<void> {
  const body = { scheduled_at: at, known_at: known };
  const path = `/admin/releases/${id}`;
  const headers = { 'Idempotency-Key': newId() };
  await guarded(
    status === 'scheduled'
      ? client.request('POST', `${path}/schedule`, { body, headers })
      : client.request('PUT', path, { body }),
  );
}

const conflicts: ReadonlySet<string> = new Set(['stale', 'lock_version_mismatch', 'release_changed']);

async function guarded(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    throw typeof code === 'string' && conflicts.has(code) ? new MovedMeanwhile() : error;
  }
}
