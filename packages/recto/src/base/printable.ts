/** A text of elsewhere as a terminal may have it: what could move the cursor or change colours is visible instead. Lines stay lines. */
export const printable = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n\t]/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
