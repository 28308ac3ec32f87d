const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * A setting as messages, the doctor and the admin show it. An address is shown without its user, password, query and fragment, also
 * if it is malformed. `isAddress`: the setting takes nothing else, so that a text without a scheme is one as well.
 */
export function shownText(text: string, isAddress: boolean): string {
  if (!isAddress && !text.includes('://')) return text;
  // A path has no such parts: `file:/srv/media`, `file:///srv/media`.
  if (/^file:(?:\/\/\/|(?!\/\/))/i.test(text)) return text;
  // In a list, or in a text with a comma in its password, no part can be trusted to be one address.
  if (text.includes(',')) return /[@?#]/.test(text) || text.split(',').some(hidesMore) ? '…' : text;
  return shownAddress(text);
}

/** An IPv6 address or network. */
const numeric = /^[\da-f.]*:[\da-f.]*:[\da-f:.]*(?:[%/]\w*)?$/i;

const hidesMore = (text: string): boolean => shownAddress(text) !== text;

function shownAddress(text: string): string {
  const begin = scheme.exec(text)?.[0] ?? '';
  const rest = text.slice(begin.length);
  const at = rest.lastIndexOf('@');
  const place = (at === -1 ? rest : rest.slice(at + 1)).replace(/([?#]).*$/s, '$1…');
  // What follows a colon and is no port may be a password of which the end is missing.
  const withoutPassword = numeric.test(place) ? place : place.replace(/^([^/:[]*):(?!\d{1,5}(?:[/?#]|$)).*$/s, '$1:…');
  return `${begin}${at === -1 ? '' : '…@'}${withoutPassword}`;
}
