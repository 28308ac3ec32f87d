import type { Revision } from '@recto/client/admin';
import { type MessageKey, t } from '../../../text/text.ts';
import { accountName } from '../account-name.ts';

const known = new Set(['create', 'update', 'autosave', 'publish', 'restore', 'delete', 'schedule', 'existing']);

/** What happened: "Published". */
export function actionText({ action }: Revision): string {
  // The set has the actions that have a text.
  const key = (known.has(action) ? `history.action_${action}` : 'history.action_other') as MessageKey;
  return t(key, { action });
}

export const nameOf = ({ name }: Revision): string | undefined => name ?? undefined;

/** Who made the revisions of a sitting: "Ada", "you", "the service". */
export async function personText(author: string | null): Promise<string> {
  return author === null ? t('history.service') : accountName(author);
}
