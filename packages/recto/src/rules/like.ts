/** Upper case A to Z become lower case; every other code point stays, as on every database here. */
const fold = (codePoint: number): number => (codePoint >= 0x41 && codePoint <= 0x5a ? codePoint + 0x20 : codePoint);

const widthAt = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1);

const percent = 0x25;
const underscore = 0x5f;
const escapable: ReadonlySet<string> = new Set(['%', '_', '\\']);

const escapes = (pattern: string, at: number): boolean => pattern[at] === '\\' && escapable.has(pattern[at + 1] ?? '');

/** The same pattern, in which every `\` escapes: a database refuses one that escapes nothing, or takes it for another. */
export const completeEscapes = (pattern: string): string =>
  pattern.replace(/\\([%_\\])|\\/g, (found, escaped) => (escaped === undefined ? '\\\\' : found));

/**
 * SQL LIKE: `%` stands for any text, `_` for one code point, letter case ignored for A to Z. `\` before `%`, `_` or `\`
 * makes it stand for itself.
 * Only the last `%` is ever gone back to, so the cost is at most the product of the lengths, whatever the pattern.
 */
export function matchesLike(text: string, pattern: string): boolean {
  let textAt = 0;
  let patternAt = 0;
  let afterPercent = -1;
  let retryAt = 0;
  while (textAt < text.length) {
    const isEscaped = escapes(pattern, patternAt);
    const wanted = pattern.codePointAt(isEscaped ? patternAt + 1 : patternAt);
    const found = text.codePointAt(textAt) ?? 0;
    if (wanted === percent && !isEscaped) {
      patternAt += 1;
      afterPercent = patternAt;
      retryAt = textAt;
    } else if (wanted !== undefined && ((wanted === underscore && !isEscaped) || fold(wanted) === fold(found))) {
      patternAt += widthAt(wanted) + (isEscaped ? 1 : 0);
      textAt += widthAt(found);
    } else if (afterPercent >= 0) {
      retryAt += widthAt(text.codePointAt(retryAt) ?? 0);
      textAt = retryAt;
      patternAt = afterPercent;
    } else {
      return false;
    }
  }
  while (pattern.codePointAt(patternAt) === percent) patternAt += 1;
  return patternAt === pattern.length;
}
