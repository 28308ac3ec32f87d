import { type MessageKey, t } from '../../../text/text.ts';
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
