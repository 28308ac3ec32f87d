import { knownName } from '../../api/account-name.ts';
import { session } from '../../app/session.svelte.ts';
import { t } from '../../text/text.ts';

/** How an account is called, as far as this one may know. */
export const accountName = async (id: string): Promise<string> =>
  id === session.account?.id ? t('editor.you') : ((await knownName(id)) ?? t('editor.revisionSomebody'));
