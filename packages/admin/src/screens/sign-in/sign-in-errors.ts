import { RectoError } from '@recto/client';
import { formErrors } from '../../api/form-errors.ts';
import { t } from '../../text/text.ts';
import type { FormErrors } from '../../ui/form-errors.ts';

/** The service says no more about what was wrong. */
const rejections = ['invalid_credentials', 'invalid_code', 'invalid_passkey'];

/** What to say about a failed attempt to sign in. `wrong` is said of rejected credentials; `known` as for `formErrors`. */
export function signInErrors(error: unknown, wrong: FormErrors, known: readonly string[] = []): FormErrors {
  if (!(error instanceof RectoError)) return formErrors(error, known);
  if (error.status === 429) return about(t('session.limited', { count: Math.ceil(error.retry_after ?? 60) }));
  if (rejections.includes(error.code)) return wrong;
  return error.status === 0 ? about(t('session.offline')) : formErrors(error, known);
}

/** An error of no field. */
export const about = (text: string): FormErrors => ({ fields: {}, text });
