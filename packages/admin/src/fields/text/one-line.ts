import type { FieldInfo } from '../field.ts';

/** Longer texts get a control of several lines. */
const longestLine = 255;

/** Whether a text is edited in one line: as the definition's `widget` says (`line` or `lines`), else by its longest length. */
export function isOneLine({ options: { widget, max_length } }: FieldInfo): boolean {
  if (widget === 'line') return true;
  if (widget === 'lines') return false;
  return max_length !== undefined && max_length <= longestLine;
}
