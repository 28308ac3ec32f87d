/** A text of elsewhere as a terminal may have it: what could move the cursor or change colours is visible instead. Lines stay lines. */
export const printable = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n\t]/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** A text of elsewhere in one line: a space stands in place of control characters and line breaks. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
