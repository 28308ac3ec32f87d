import { RectoError } from '@recto/client';
import { formErrors } from '../../api/form-errors.ts';
import { t } from '../../text/text.ts';
import type { FormErrors } from '../../ui/form-errors.ts';

/** What to say about a failed attempt to sign in. `wrong` is said of rejected credentials; `known` as for `formErrors`. */
export function signInErrors(error: unknown, wrong: FormErrors, known: readonly string[] = []): FormErrors {
  if (!(error instanceof RectoError)) return about(String(error));
  if (error.status === 429) return about(t('session.limited', { count: Math.ceil(error.retry_after ?? 60) }));
  if (error.is('invalid_credentials')) return wrong;
  return error.status === 0 ? about(t('session.offline')) : formErrors(error, known);
}

/** An error of no field. */
export const about = (text: string): FormErrors => ({ fields: {}, text });
