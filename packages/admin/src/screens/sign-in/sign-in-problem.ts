import { RectoError } from '@recto/client';
import { type MessageKey, t } from '../../text/text.ts';

/** What to say about a failed attempt to sign in. `wrong` is the text for rejected credentials. */
export function signInProblem(error: unknown, wrong: MessageKey): string {
  if (!(error instanceof RectoError)) return String(error);
  if (error.status === 429) return t('session.limited', { count: Math.ceil(error.retry_after ?? 60) });
  if (error.is('invalid_credentials')) return t(wrong);
  return error.status === 0 ? t('session.offline') : (error.errors[0]?.message ?? error.message);
}
