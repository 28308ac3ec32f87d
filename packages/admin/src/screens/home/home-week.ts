import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { htmlText } from '../../api/html-text.ts';
import { recordPath, recordTitle } from '../../api/record-title.ts';
import type { Reading } from './changed-record.ts';

/** A record whose status changes by itself. */
export interface ScheduledRecord {
  readonly type: ContentTypeInfo;
  readonly id: string;
  readonly title: string | undefined;
  readonly path: string;
  readonly at: string;
}

/** So many types are looked at: each is a request. */
const mostTypes = 8;
const most = 8;
const week = 7 * 24 * 60 * 60 * 1000;

/** Types whose records can change their status at a time. */
export const schedulable = (types: readonly ContentTypeInfo[]): readonly ContentTypeInfo[] =>
  types.filter(({ kind, fields }) => kind === 'collection' && fields.some(({ name }) => name === 'scheduled_at'));

/** What is due within seven days, the next first. */
export async function scheduledThisWeek({ client, types, signal }: Reading): Promise<readonly ScheduledRecord[]> {
  const end = new Date(Date.now() + week).toISOString();
  const filter = `scheduled_at != null && scheduled_at < ${JSON.stringify(end)}`;
  const options = { filter, page_size: most, skip_total: true, signal, query: { sort: 'scheduled_at:asc' } };
  const found = await Promise.all(
    schedulable(types)
      .slice(0, mostTypes)
      .map(async (type) => {
        const { items } = await client.admin.collection(type.plural).list(options);
        return items.map((record): ScheduledRecord => {
          const { id } = record;
          const at = String(Reflect.get(record, 'scheduled_at'));
          return { type, id, title: recordTitle(type, record), path: recordPath(type, id), at };
        });
      }),
  );
  return found
    .flat()
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .slice(0, most);
}

export interface PendingComment {
  readonly id: string;
  /** Undefined: without a name. */
  readonly name: string | undefined;
  /** Its beginning, as text. */
  readonly text: string;
  readonly at: string;
}

/** The newest comments that nobody has decided on. */
export async function pendingComments({ client, signal }: Reading): Promise<readonly PendingComment[]> {
  const options = { filter: 'status = "Pending"', page_size: 3, skip_total: true, signal };
  const { items } = await client.admin.collection('comments').list(options);
  return items.map((comment): PendingComment => {
    const member = (name: string): string => String(Reflect.get(comment, name) ?? '');
    return {
      ...{ id: comment.id, name: member('nickname') || undefined, at: member('created_at') },
      text: htmlText(member('content')).slice(0, 140),
    };
  });
}
