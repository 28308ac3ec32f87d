import type { Kind } from './value-kind.ts';

/** Whether a text can be stored by every database: no U+0000 and no lone surrogate. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Surrogates stand for code points above U+FFFF and so sort after U+E000 to U+FFFF, unlike their UTF-16 units. */
function rank(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

/** Compares texts by code point, which is the byte order of their UTF-8 form. */
export function compareText(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const canonical = (value: unknown): string | undefined =>
  typeof value === 'string' && isStorableText(value) ? value : undefined;

export const textKind: Kind = {
  fromJson: canonical,
  fromText: canonical,
  compare: (a, b) => compareText(String(a), String(b)),
  ordered: true,
};
