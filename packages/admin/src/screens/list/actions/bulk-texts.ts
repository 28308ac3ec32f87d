import '../../../text/en/board.ts';
import { type MessageKey, t } from '../../../text/text.ts';
import type { ListedType } from '../data/list-fields.ts';
import type { ListRecord } from '../data/list-record.ts';
import { recordTitle } from '../table/record-text.ts';
import type { BulkAction } from './bulk-actions.ts';

const texts: Readonly<Record<BulkAction['action'], MessageKey>> = {
  delete: 'list.deleted',
  restore: 'list.restored',
  purge: 'list.purged',
  publish: 'list.published',
  unpublish: 'list.unpublished',
  archive: 'list.archived',
  update: 'list.changed',
};

/** What was done: "3 records deleted." */
export const doneText = ({ action }: BulkAction, count: number): string => t(texts[action], { count });

/** So many records are named. */
const mostNamed = 5;

/** What was taken back, with the records that were not. */
export function undoneText(kept: readonly ListRecord[], type: ListedType): string {
  if (kept.length === 0) return t('list.undone');
  const titles = kept.slice(0, mostNamed).map((record) => recordTitle(record, type));
  return t('board.undoneBut', {
    count: kept.length,
    titles: `${titles.join(', ')}${kept.length > mostNamed ? ' …' : ''}`,
  });
}
