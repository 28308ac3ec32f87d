/** The text without the letter at its end, however often it is there: in one pass, which `/x+$/` is not. */
export function withoutEnding(text: string, letter: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === letter) end -= 1;
  return text.slice(0, end);
}
