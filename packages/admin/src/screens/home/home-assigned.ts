import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { recordPath, recordTitle } from '../../api/record-title.ts';
import type { Reading } from './changed-record.ts';

/** A record that is assigned to somebody. */
export interface AssignedRecord {
  readonly type: ContentTypeInfo;
  readonly title: string | undefined;
  readonly path: string;
  /** Null: at no time. */
  readonly due: string | null;
}

/** The types whose records are assigned, as far as the person reads to whom. */
export const assignable = (types: readonly ContentTypeInfo[]): readonly ContentTypeInfo[] =>
  types.filter(({ fields }) => fields.some(({ name, origin }) => name === 'assignee' && origin === 'protocol'));

/** The types that are looked at, each by a request, and the records that are listed. */
const mostTypes = 16;
const mostRecords = 10;

/** What is due first comes first, and what is due at no time last. */
export async function assignedTo(
  { client, types, signal }: Reading,
  account: string,
): Promise<readonly AssignedRecord[]> {
  const found = await Promise.all(
    types.slice(0, mostTypes).map(async (type) => {
      const filter = `assignee = ${JSON.stringify(account)}`;
      const asked = { page_size: mostRecords, skip_total: true, signal } as const;
      const list = (more: string, sort: string) =>
        client.admin.collection(type.plural).list({ ...asked, filter: `${filter} && ${more}`, query: { sort } });
      const [due, others] = await Promise.all([list('due_at != null', 'due_at:asc'), list('due_at = null', 'id:desc')]);
      return [...due.items, ...others.items].map((record): AssignedRecord => {
        const at = Reflect.get(record, 'due_at');
        const path = recordPath(type, String(record.id));
        return { type, title: recordTitle(type, record), path, due: typeof at === 'string' ? at : null };
      });
    }),
  );
  const last = '9';
  return found
    .flat()
    .toSorted((a, b) => (a.due ?? last).localeCompare(b.due ?? last))
    .slice(0, mostRecords);
}
