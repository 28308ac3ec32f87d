import { localeCode, t } from '../text/text.ts';

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Making one takes longer than using it, and a list has hundreds of times. By language. */
const formats = new Map<string, Intl.RelativeTimeFormat | Intl.DateTimeFormat>();

function known<Format extends Intl.RelativeTimeFormat | Intl.DateTimeFormat>(
  form: string,
  make: (language: string) => Format,
): Format {
  const language = localeCode();
  const key = `${form} ${language}`;
  // Each form has one kind of format.
  const format = (formats.get(key) as Format | undefined) ?? make(language);
  formats.set(key, format);
  return format;
}

/** "2 hours ago", "in 3 days", "just now". */
export function relativeTime(date: Date, now: number): string {
  const seconds = Math.round((date.getTime() - now) / 1_000);
  const format = known('relative', (language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return t('ui.justNow');
}

/** In the reader's language and time zone. */
export const formatDateTime = (date: Date, form: 'date' | 'datetime'): string =>
  known(
    form,
    (language) =>
      new Intl.DateTimeFormat(language, {
        dateStyle: 'medium',
        ...(form === 'datetime' ? { timeStyle: 'short' } : {}),
      }),
  ).format(date);
