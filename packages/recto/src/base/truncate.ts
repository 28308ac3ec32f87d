/** A text of at most `most` UTF-16 units; of a longer one, these with `…` behind them. Never splits a character. */
export function truncate(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}…`;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
