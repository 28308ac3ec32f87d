import '../../../text/en/list-tools.ts';
import '../../../text/en/board.ts';
import { RectoError } from '@recto/client';
import { errorText } from '../../../api/query.svelte.ts';
import { faultText } from '../../../api/service-text.ts';
import { type MessageKey, t } from '../../../text/text.ts';
import type { ListedType } from '../data/list-fields.ts';
import type { ListRecord } from '../data/list-record.ts';
import { recordTitle } from '../table/record-text.ts';
import type { BulkAction } from './bulk-actions.ts';

const texts: Readonly<Record<BulkAction['action'], MessageKey>> = {
  delete: 'listTools.deleted',
  restore: 'listTools.restored',
  purge: 'listTools.purged',
  publish: 'listTools.published',
  unpublish: 'listTools.unpublished',
  archive: 'listTools.archived',
  update: 'listTools.changed',
};

/** What was done: "3 records deleted." */
export const doneText = ({ action }: BulkAction, count: number): string => t(texts[action], { count });

/** So many records are named. */
const mostNamed = 5;

/** What was taken back, with the records that were not. */
export function undoneText(kept: readonly ListRecord[], type: ListedType): string {
  if (kept.length === 0) return t('listTools.undone');
  const titles = kept.slice(0, mostNamed).map((record) => recordTitle(record, type));
  return t('board.undoneBut', {
    count: kept.length,
    titles: `${titles.join(', ')}${kept.length > mostNamed ? ' …' : ''}`,
  });
}

/** The service names each record that is wrong; the first says enough. */
export function problemText(problem: unknown): string {
  if (problem instanceof Error && problem.name === 'TooManyFound') return t('list.tooManyFound');
  const [first] = problem instanceof RectoError ? (problem.errors ?? []) : [];
  return first === undefined ? errorText(problem) : `${errorText(problem)} ${faultText(first)}`;
}
