/** A text that a caller sent, as an error repeats it: at most so many UTF-16 units, without half a character at the end. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end)}…`;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
