import '../../../text/en/list.ts';
import type { ContentTypeInfo, FieldEntry } from '../../../api/content-type-info.ts';
import { type Answer, type UnitPage, unitPage } from '../../../unit/page.fixture.ts';

const field = (name: string, field_type: string, more: Partial<FieldEntry> = {}): FieldEntry => ({
  ...{ name, field_type, origin: 'declared', required: false, must_be_sent: false, unique: false, private: false },
  ...{ immutable: false, writable: true, writers: null, target: null, many: false },
  ...more,
});
const ofProtocol = { origin: 'protocol', writable: false } as const;

/** A type with a status, a schedule and a relation. */
export const articles: ContentTypeInfo = {
  ...{ singular: 'article', plural: 'articles', name: 'Article', kind: 'collection', source: 'file', file: null },
  ...{ revision: null, created_at: null, updated_at: null, updated_by: null, handed_over: false },
  fields: [
    field('id', 'id', { origin: 'engine', writable: false }),
    field('title', 'text'),
    field('reads', 'integer'),
    field('author', 'relation', { target: 'author' }),
    field('status', 'enum', ofProtocol),
    field('scheduled_at', 'datetime', ofProtocol),
    field('deleted_at', 'datetime', ofProtocol),
  ],
  definition: {
    ...{ singular: 'article', plural: 'articles' },
    // Protocols with options are objects; the type of definitions names them alone.
    protocols: ['soft_deletable', { name: 'statusable', values: ['draft', 'published'] }] as unknown as string[],
    admin: { list_columns: ['title', 'status', 'author'] },
  },
  may: { create: true, update: true, delete: true, define: true },
};

/** A type whose records people put in an order. */
export const steps: ContentTypeInfo = {
  ...articles,
  ...{ singular: 'step', plural: 'steps', name: 'Step' },
  fields: [
    field('id', 'id', { origin: 'engine', writable: false }),
    field('title', 'text'),
    field('position', 'integer', ofProtocol),
  ],
  definition: { singular: 'step', plural: 'steps', protocols: ['sortable'] },
};

/** The list of a type at an address, with what it shows and does. It is loaded. */
export async function openList(path: string, type: ContentTypeInfo, answer: Answer) {
  const page: UnitPage = await unitPage(path, answer);
  const [{ ListAddress }, { ListColumns }, { ListData }, { ListActions }, { ManualOrder }] = await Promise.all([
    import('./list-address.svelte.ts'),
    import('../columns/list-columns.svelte.ts'),
    import('./list-data.svelte.ts'),
    import('../actions/list-actions.svelte.ts'),
    import('../order/manual-order.svelte.ts'),
  ]);
  const list = page.make(() => {
    const address = new ListAddress(() => type);
    const columns = new ListColumns(address);
    const data = new ListData(address, columns);
    return {
      address,
      columns,
      data,
      actions: new ListActions(address, columns, data),
      order: new ManualOrder(address, data),
    };
  });
  await page.until(() => !list.data.page.isFetching);
  return { page, ...list };
}
