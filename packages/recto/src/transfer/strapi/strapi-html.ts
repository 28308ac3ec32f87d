import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { escaped } from '../importers/lexical-html.ts';
import { textOf } from './strapi-tables.ts';

const deepest = 60;

/** The HTML of a value of the blocks editor: an array of nodes. */
export function blocksHtml(value: JsonValue, lost: (what: string) => void, depth = 0): string {
  if (!Array.isArray(value)) return '';
  if (depth > deepest) {
    lost('texts that are nested too deep: cut');
    return '';
  }
  return value.map((node: JsonValue) => (isTable(node) ? nodeHtml(node, lost, depth + 1) : '')).join('');
}

function nodeHtml(node: Table, lost: (what: string) => void, depth: number): string {
  const inner = (): string => blocksHtml(node.children ?? null, lost, depth);
  switch (textOf(node.type)) {
    case 'text':
      return marked(node);
    case 'paragraph':
      return `<p>${inner()}</p>`;
    case 'heading':
      return `<h${levelOf(node)}>${inner()}</h${levelOf(node)}>`;
    case 'quote':
      return `<blockquote>${inner()}</blockquote>`;
    case 'code':
      return `<pre><code>${inner()}</code></pre>`;
    case 'link':
      return `<a href="${escaped(textOf(node.url))}">${inner()}</a>`;
    case 'list':
      return list(node, lost, depth);
    case 'list-item':
      return `<li>${inner()}</li>`;
    case 'image':
      return image(node);
    default:
      lost(`parts of the kind “${textOf(node.type).slice(0, 40)}” in texts: their words alone`);
      return inner();
  }
}

const levelOf = ({ level }: Table): number =>
  typeof level === 'number' && Number.isInteger(level) && level >= 1 && level <= 6 ? level : 2;

/** A list inside a list stands beside the item that it belongs to; in HTML it stands in it. */
function list({ format, children }: Table, lost: (what: string) => void, depth: number): string {
  const name = format === 'ordered' ? 'ol' : 'ul';
  let html = '';
  for (const child of Array.isArray(children) ? children : []) {
    const one = blocksHtml([child], lost, depth);
    const isInner = isTable(child) && child.type === 'list' && html.endsWith('</li>');
    html = isInner ? `${html.slice(0, -'</li>'.length)}${one}</li>` : `${html}${one}`;
  }
  return `<${name}>${html}</${name}>`;
}

const marks = [
  ['code', 'code'],
  ['strikethrough', 's'],
  ['underline', 'u'],
  ['italic', 'em'],
  ['bold', 'strong'],
] as const;

const marked = (node: Table): string =>
  marks.reduce(
    (inner, [mark, name]) => (node[mark] === true ? `<${name}>${inner}</${name}>` : inner),
    escaped(textOf(node.text)).replaceAll('\n', '<br>'),
  );

function image({ image: file }: Table): string {
  const { url = '', alternativeText = '' } = file !== undefined && isTable(file) ? file : {};
  return `<figure><img src="${escaped(textOf(url))}" alt="${escaped(textOf(alternativeText))}"></figure>`;
}
