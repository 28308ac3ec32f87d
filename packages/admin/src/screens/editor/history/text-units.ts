import { words } from '../differences/text-difference.ts';
import { htmlUnits } from './html-units.ts';
import type { TextFormat, TextLine, TextUnit } from './text-unit.ts';

/** The units of two versions of a text, split in the same way. */
export function textUnits(
  format: TextFormat,
  before: string,
  after: string,
): readonly [before: readonly TextUnit[], after: readonly TextUnit[]] {
  if (format === 'html') return [htmlUnits(before), htmlUnits(after)];
  // Paragraphs, where there are any; otherwise lines.
  const ends = /\n[^\S\n]*\n/.test(before + after) ? /(?<=\n[^\S\n]*\n)(?=[^\S\n]*\S)/ : /(?<=\n)/;
  const unitsOf = (text: string): readonly TextUnit[] => (text === '' ? [] : text.split(ends).map(plainUnit));
  return [unitsOf(before), unitsOf(after)];
}

function plainUnit(source: string): TextUnit {
  const shown = source.replace(/\s+$/, '');
  const line: TextLine = { look: 'text', level: 0, words: words(shown).map((text) => ({ text, marks: [] })) };
  return { key: shown, source, lines: [line] };
}
