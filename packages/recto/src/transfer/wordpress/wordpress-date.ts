import { canonicalDatetime } from '../../values/datetime.ts';

/**
 * An instant of WordPress (`2012-01-07 14:07:21`): the time in UTC where it has one, else the site's local time read as
 * if it were UTC, since an export does not contain the site's time zone. Undefined where both are unset (`0000-00-00 00:00:00`).
 */
export function wordpressInstant(gmt: string, local: string): string | undefined {
  return instant(gmt) ?? instant(local);
}

const instant = (text: string): string | undefined => canonicalDatetime(`${text.trim().replace(' ', 'T')}Z`);
