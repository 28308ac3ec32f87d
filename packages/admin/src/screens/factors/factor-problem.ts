import { RectoError } from '@recto/client';
import { errorText } from '../../api/query.svelte.ts';
import { t } from '../../text/text.ts';

/** What to say where a second factor could not be changed. */
export const factorProblem = (error: unknown): string =>
  error instanceof RectoError && error.is('last_second_factor') ? t('factors.lastFactor') : errorText(error);
