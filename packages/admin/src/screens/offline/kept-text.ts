import { htmlText } from '../../api/html-text.ts';

/** Formatted text begins with an element that holds a paragraph or more, and ends with one. Other text may have angle brackets of its own. */
const formatted = /^<(?:p|h[1-6]|ul|ol|blockquote|pre|figure|table|div|hr)\b[^>]*>.*>$/is;

/** A value of a form as text to read and copy. Empty where there is nothing. */
export function keptText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return formatted.test(value.trim()) ? htmlText(value) : value;
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}
