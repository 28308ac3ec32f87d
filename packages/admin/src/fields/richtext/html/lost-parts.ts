import { guardedStyle } from './guarded-html.ts';

/** Elements that another of the same meaning stands for, and those that have none of their own. */
const written: ReadonlyMap<string, string> = new Map([
  ['b', 'strong'],
  ['i', 'em'],
  ['strike', 's'],
  ['del', 's'],
]);
const ignored: ReadonlySet<string> = new Set(['tbody', 'thead', 'p', 'br', 'colgroup', 'col']);

function partsOf(root: Element): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (part: string): void => void counts.set(part, (counts.get(part) ?? 0) + 1);
  for (const element of root.querySelectorAll('*')) {
    const name = written.get(element.localName) ?? element.localName;
    if (!ignored.has(name)) count(`<${name}>`);
    for (const { name: attribute, value } of element.attributes) {
      if (value !== '' && !ignored.has(name)) count(partOf(attribute, value));
    }
  }
  return counts;
}

/** The same for a style however it is written, and while it is guarded. */
const partOf = (name: string, value: string): string =>
  name === 'style' || name === guardedStyle
    ? `style="${value.replace(/;\s*$/, '').replace(/:\s+/g, ':')}"`
    : `${name}="${value}"`;

const wordsOf = (root: Element): string => (root.textContent ?? '').replace(/\s+/g, '');

/**
 * What one tree has and the other lacks: the elements and attributes, and `text` if words differ. The visual editor shows a text only
 * if this is empty, or someone who has seen it says so.
 */
export function lostParts(before: Element, after: Element): readonly string[] {
  const kept = partsOf(after);
  const lost = [...partsOf(before)].filter(([part, count]) => (kept.get(part) ?? 0) < count).map(([part]) => part);
  return wordsOf(before) === wordsOf(after) ? lost : [...lost, 'text'];
}
