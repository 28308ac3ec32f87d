import { languageCode, t } from '../text/text.ts';

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "2 hours ago", "in 3 days", "just now". */
export function relativeTime(date: Date, now: number): string {
  const seconds = Math.round((date.getTime() - now) / 1_000);
  const format = new Intl.RelativeTimeFormat(languageCode(), { numeric: 'auto' });
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return t('ui.justNow');
}

/** In the reader's language and time zone. */
export const formatDateTime = (date: Date, form: 'date' | 'datetime'): string =>
  new Intl.DateTimeFormat(languageCode(), {
    dateStyle: 'medium',
    ...(form === 'datetime' ? { timeStyle: 'short' } : {}),
  }).format(date);
