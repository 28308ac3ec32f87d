/** Marks an end of a paragraph, a heading and the like. */
const blockEnd = /<\/(?:p|h[1-6]|li|blockquote|pre|div|tr|figcaption)>|<(?:br|hr)\s*\/?>/gi;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** The text of HTML, for comparing. It is never put into a page as HTML. */
export const htmlText = (html: string): string =>
  html
    .replaceAll(blockEnd, '\n')
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? all;
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : all;
    })
    .trim();

/** A value as text, so that two can be compared word by word. */
export function valueText(type: string, value: unknown, isMarkdown = false): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return type === 'richtext' && !isMarkdown ? htmlText(value) : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'object' && '$unreadable' in value) return String(value.$unreadable);
  if (isFile(value)) return value.name;
  if (Array.isArray(value)) return value.map((item) => itemText(item)).join('\n');
  return itemText(value);
}

const isFile = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && 'url' in value && 'name' in value && typeof value.name === 'string';

/** One line a member, so that a change of one is a change of a line. */
function itemText(value: unknown, indent = ''): string {
  if (isFile(value)) return indent + value.name;
  if (typeof value === 'string') return indent + (/<\w[^<>]*>/.test(value) ? htmlText(value) : value);
  if (typeof value !== 'object' || value === null) return indent + String(value);
  if (Array.isArray(value)) return value.map((item) => itemText(item, indent)).join('\n');
  const { block, id: _, ...members } = { block: undefined, id: undefined, ...value };
  const lines = Object.entries(members).flatMap(([name, member]) => {
    if (member === null) return [];
    if (typeof member === 'object') return [`${indent}${name}:`, itemText(member, `${indent}  `)];
    return [`${indent}${name}: ${itemText(member)}`];
  });
  return [...(typeof block === 'string' ? [`${indent}${block}`] : []), ...lines].join('\n');
}
