import { isAllowedAddress } from '../html/allowed-html.ts';

/** Addresses that programs put in the place of the one that was written, and the parameter that has it. */
const redirects: readonly (readonly [RegExp, string])[] = [
  [/^(?:www\.)?google\.[a-z.]+\/url$/, 'q'],
  [/^[\w-]+\.safelinks\.protection\.outlook\.com\//, 'url'],
  [/^(?:l|lm)\.facebook\.com\/l\.php$/, 'u'],
];

/** The address that a pasted link leads to; undefined where it leads nowhere that others can go. */
export function pastedAddress(address: string): string | undefined {
  const text = address.trim();
  if (text === '' || text.startsWith('#')) return undefined;
  if (!isAllowedAddress(text)) return undefined;
  const url = URL.parse(text);
  if (url === null) return /^[/?.]/.test(text) ? text : undefined;
  const place = `${url.hostname}${url.pathname}`;
  for (const [pattern, parameter] of redirects) {
    const target = pattern.test(place) ? url.searchParams.get(parameter) : null;
    if (target !== null && /^https?:/i.test(target)) return target;
  }
  return text;
}
