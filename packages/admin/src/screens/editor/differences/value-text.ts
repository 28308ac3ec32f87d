import { htmlText } from '../../../api/html-text.ts';
import { readableName } from '../../../api/readable-name.ts';

/** A value as text, so that two can be compared word by word. */
export function valueText(type: string, value: unknown, isMarkdown = false): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return type === 'richtext' && !isMarkdown ? htmlText(withPictures(value)) : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'object' && '$unreadable' in value) return String(value.$unreadable);
  if (isFile(value)) return value.name;
  if (Array.isArray(value)) return value.map((item) => itemText(item)).join('\n');
  return itemText(value);
}

/** Pictures as words: what is added, removed or exchanged shows. */
const withPictures = (html: string): string =>
  html.replaceAll(
    /<img\b(?:[^<>"]|"[^"]*")*>/gi,
    (tag) => ` [${attribute(tag, 'alt') || fileName(attribute(tag, 'src'))}] `,
  );

const attribute = (tag: string, name: string): string => new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1] ?? '';
const fileName = (address: string): string =>
  address
    .replace(/[?#].*$/, '')
    .split('/')
    .at(-1) ?? '';

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
    if (typeof member === 'object') return [`${indent}${readableName(name)}:`, itemText(member, `${indent}  `)];
    return [`${indent}${readableName(name)}: ${itemText(member)}`];
  });
  return [...(typeof block === 'string' ? [`${indent}${readableName(block)}`] : []), ...lines].join('\n');
}
