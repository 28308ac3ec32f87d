import { badRequest } from '../../base/problem.ts';
import type { ReturnTarget } from '../../config/return-to-setting.ts';

/** What a path can hide other segments in: servers differ in when they decode these. */
const ambiguous = /%(?:2f|5c|2e|00)|\\|\/\//i;

/**
 * The page that a flow leads back to, if it is one of those that may. Compared is what a browser makes of the text, and that is what it
 * is sent to. Throws 400 `return_to_not_allowed`.
 */
export function allowedReturn(text: string, targets: readonly ReturnTarget[]): string {
  const url =
    /^https?:\/\/[^/\\]/i.test(text) && !hasOddCharacters(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !targets.some((target) => isWithin(url, target))) throw notAllowed();
  return url.href;
}

function isWithin(url: URL, { origin, path }: ReturnTarget): boolean {
  if (url.origin !== origin || url.username !== '' || url.password !== '' || ambiguous.test(url.pathname)) return false;
  return path === '' || url.pathname === path || url.pathname.startsWith(`${path}/`);
}

/** The browser drops some of these, and puts what it is given behind `#` there. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const hasOddCharacters = (text: string): boolean => /[\u0000-\u0020\u007f#\\]/.test(text) || text.length > 1_500;

const notAllowed = () =>
  badRequest('return_to_not_allowed', 'return_to is none of the pages that RECTO_AUTH_RETURN_TO names.');

/** A page with what it gets, which no server sees and no `Referer` repeats. */
export const withFragment = (returnTo: string, name: 'code' | 'error', value: string): string =>
  `${returnTo}#${name}=${encodeURIComponent(value)}`;
