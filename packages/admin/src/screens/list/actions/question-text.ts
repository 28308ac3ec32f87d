import '../../../text/en/list-tools.ts';
import { t } from '../../../text/text.ts';
import { mostUndone } from './bulk-actions.ts';
import type { BulkQuestion } from './list-actions.svelte.ts';

/** What is to be known before it is done: what becomes of the records, and whether there is a way back; undefined: nothing. */
export function questionText(
  { action, isAll, count }: Pick<BulkQuestion, 'action' | 'isAll' | 'count'>,
  isSoft: boolean,
): string | undefined {
  const isDeletion = action === 'delete' || action === 'purge';
  const about = isDeletion
    ? t(action === 'delete' && isSoft ? 'listTools.deleteSoftText' : 'listTools.deleteText')
    : '';
  const all = isAll ? t('listTools.manyText') : '';
  // More than that, a job changes by the filter, which does not keep what was there before. A deletion has said so.
  const isFinal = isAll && count > mostUndone && !isDeletion;
  const texts = [about, all, isFinal ? t('listTools.noUndo', { most: mostUndone }) : ''];
  return texts.filter((text) => text !== '').join(' ') || undefined;
}
