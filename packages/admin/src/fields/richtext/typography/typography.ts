import { Extension, InputRule } from '@tiptap/core';
import type { EditorState } from '@tiptap/pm/state';
import { type Typography, typographyOf } from './quotation-marks.ts';

interface Options {
  /** The language of the text. */
  readonly language: () => string;
  readonly isOn: () => boolean;
}

/** What a quotation mark opens behind, besides another one: nothing, a space, a bracket or a dash. */
const gap = /^[\s\uFFFC([{<—–-]?$/;

/** Whether a mark opens. A mark that opens in one language closes in another: “ is both. */
function isOpening({ double, single }: Typography, before: string): boolean {
  const last = before.slice(-1);
  return gap.test(last) || last === double[0] || last === single[0];
}

/** What is written in the place of what was typed, by the text of the block before it. */
type Choice = (typography: Typography, before: string) => string;

/** Whether a single quotation mark is open: what stands behind a letter closes it then, and is an apostrophe otherwise. */
const isQuoted = ({ single: [open, close] }: Typography, before: string): boolean =>
  open !== close && before.lastIndexOf(open) > before.lastIndexOf(close);

/** Pairs of what is typed and what is written for it. The last characters of each pattern are replaced. */
const rules: readonly (readonly [RegExp, number, Choice])[] = [
  [/"$/, 1, (typography, before) => typography.double[isOpening(typography, before) ? 0 : 1]],
  [/\p{L}'$/u, 1, (typography, before) => (isQuoted(typography, before) ? typography.single[1] : '’')],
  [/'$/, 1, (typography, before) => typography.single[isOpening(typography, before) ? 0 : 1]],
  // Three at the beginning of a line are a horizontal rule.
  [/[^-]--$/, 2, ({ dash }) => dash],
  [/(?:^|[^.])\.\.\.$/, 3, () => '…'],
];

/** Writes quotes, dashes and ellipses as the language of the text does. `Backspace` takes it back. Never in code. */
export const typographic = ({ language, isOn }: Options): Extension =>
  Extension.create({
    name: 'typographic',
    addInputRules: () =>
      rules.map(
        ([find, length, choose]) =>
          new InputRule({
            find,
            handler({ state, range, match }) {
              const typography = isOn() ? typographyOf(languageAt(state) ?? language()) : undefined;
              if (typography === undefined) return null;
              const start = range.from + match[0].length - length;
              const { parent, parentOffset } = state.doc.resolve(start);
              const before = parent.textBetween(0, parentOffset, undefined, '\uFFFC');
              state.tr.insertText(choose(typography, before), start, range.to);
              return undefined;
            },
          }),
      ),
  });

/** The language of the block that the cursor is in, where it differs from that of the text. */
function languageAt({ selection: { $from } }: EditorState): string | undefined {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const { lang } = $from.node(depth).attrs;
    if (typeof lang === 'string' && lang !== '') return lang;
  }
  return undefined;
}
