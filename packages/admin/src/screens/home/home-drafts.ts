import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { recordPath, recordTitle } from '../../api/record-title.ts';
import type { ChangedRecord, Reading } from './changed-record.ts';

interface Draft {
  readonly author: string | null;
  readonly at: string;
  readonly changes: Readonly<Record<string, unknown>>;
}

/** So many types are looked at, and drafts of each: home shows a few. */
const mostTypes = 8;
const mostDrafts = 50;

/** Drafts of published records that an account saved last. The log of changes has them only when they are published. */
export async function draftsBy({ client, types, signal }: Reading, account: string): Promise<readonly ChangedRecord[]> {
  const found = await Promise.all(
    types
      .filter(keepsDrafts)
      .slice(0, mostTypes)
      .map(async (type) => {
        const options = { query: { has_draft: true }, page_size: mostDrafts, skip_total: true, signal };
        const { items } = await client.admin.collection(type.plural).list(options);
        return items.flatMap((record): readonly ChangedRecord[] => {
          const draft = Reflect.get(record, '__draft') as Draft | null;
          return draft?.author === account ? [changed(type, record, draft)] : [];
        });
      }),
  );
  return found.flat();
}

function changed(
  type: ContentTypeInfo,
  record: { readonly id: string },
  { author, at, changes }: Draft,
): ChangedRecord {
  const { id } = record;
  const title = recordTitle(type, { ...record, ...changes });
  return { type, id, title, isGone: false, path: recordPath(type, id), action: 'draft', at, actor: author };
}

const keepsDrafts = ({ definition }: ContentTypeInfo): boolean =>
  definition.protocols?.some((each: unknown) => {
    const { name, drafts } = Object(each) as { readonly name?: unknown; readonly drafts?: unknown };
    return name === 'versionable' && drafts === true;
  }) === true;
