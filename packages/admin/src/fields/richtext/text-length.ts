import type { Node } from '@tiptap/pm/model';

/** How fast people read prose, in words a minute. */
const readingSpeed = 230;
/** Of scripts without spaces between words, two signs are about as much as one word. */
const signs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

export interface TextLength {
  readonly words: number;
  /** At least one. */
  readonly minutes: number;
}

export function textLength(document: Node): TextLength {
  const text = document.textBetween(0, document.content.size, '\n', ' ');
  const others = text.match(signs)?.length ?? 0;
  const words =
    (text.replace(signs, ' ').match(/[\p{L}\p{N}](?:\S*[\p{L}\p{N}])?/gu)?.length ?? 0) + Math.ceil(others / 2);
  return { words, minutes: Math.max(1, Math.round(words / readingSpeed)) };
}
