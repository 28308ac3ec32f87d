import { decimalLimits } from './decimal.ts';

/** The texts that `kinds` read, as patterns of JSON Schema. */

/** The digits of whole numbers up to `most`, without leading zeros. */
function upTo(most: string): string {
  const equalUntil = [...most].flatMap((digit, place) => {
    const rest = most.length - place - 1;
    if (digit === '0') return [];
    return [`${most.slice(0, place)}[0-${Number(digit) - 1}]${rest === 0 ? '' : `[0-9]{${rest}}`}`];
  });
  return [`[0-9]{1,${most.length - 1}}`, ...equalUntil, most].join('|');
}

/** Signed 64 bit integers. */
export const bigintPattern = `^-?0*(?:${upTo(String(2n ** 63n - 1n))})$|^-0*${2n ** 63n}$`;

/** Decimal numbers with as many digits as are kept; superfluous zeros do not count. */
export const decimalPattern = `^-?0*[0-9]{1,${decimalLimits.before}}(?:\\.[0-9]{1,${decimalLimits.after}}0*)?$`;

/** Instants of RFC 3339 without leap seconds. Which days there are is for the format `date-time` to say. */
export const datetimePattern =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$';

/** Times of day, without a zone. */
export const timePattern = '^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]+)?)?$';
