import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** How a document of the Lexical editor becomes HTML. */
export interface LexicalOptions {
  /** The HTML of a node that is none of the editor's own, such as an image; undefined: there is none. */
  card(node: Table): string | undefined;
  /** Called with the type of a node that is left out. */
  lost(type: string): void;
  /** The address of a link; default: its `url`. */
  address?(node: Table): string;
}

/** The HTML of a document of Lexical: its `root`. Sanitised when it is stored, like any other. */
export function lexicalHtml(root: JsonValue | undefined, options: LexicalOptions): string {
  return childrenOf(root, options, 0);
}

/** Deeper ones are left out: what walks through them would end. */
const deepest = 100;

function childrenOf(node: JsonValue | undefined, options: LexicalOptions, depth: number): string {
  if (!isTable(node) || !Array.isArray(node.children)) return '';
  if (depth > deepest) {
    options.lost('nested too deep');
    return '';
  }
  return node.children.map((child: JsonValue) => nodeHtml(child, options, depth + 1)).join('');
}

function nodeHtml(node: JsonValue, options: LexicalOptions, depth: number): string {
  if (!isTable(node)) return '';
  const type = typeof node.type === 'string' ? node.type : '';
  const inner = (): string => childrenOf(node, options, depth);
  switch (type) {
    case 'text':
    case 'extended-text':
    case 'code-highlight':
      return formatted(escaped(stringOf(node.text)), Number(node.format));
    case 'linebreak':
      return '<br>';
    case 'tab':
      return '\t';
    case 'paragraph':
      return element('p', inner(), node);
    case 'heading':
    case 'extended-heading':
      return element(/^h[1-6]$/.test(stringOf(node.tag)) ? stringOf(node.tag) : 'h2', inner(), node);
    case 'quote':
    case 'extended-quote':
    case 'aside':
      return element('blockquote', inner(), node);
    case 'list':
      return element(node.listType === 'number' || node.tag === 'ol' ? 'ol' : 'ul', inner(), node);
    case 'listitem':
      return `<li>${marked(node)}${inner()}</li>`;
    case 'link':
    case 'autolink':
      return link(node, inner(), options);
    case 'code':
      return `<pre><code>${inner()}</code></pre>`;
    case 'horizontalrule':
      return '<hr>';
    case 'table':
      return `<table><tbody>${inner()}</tbody></table>`;
    case 'tablerow':
      return `<tr>${inner()}</tr>`;
    case 'tablecell':
      return Number(node.headerState) > 0 ? `<th>${inner()}</th>` : `<td>${inner()}</td>`;
    default:
      return otherHtml(node, type, inner, options);
  }
}

function otherHtml(node: Table, type: string, inner: () => string, options: LexicalOptions): string {
  const card = options.card(node);
  if (card !== undefined) return card;
  const text = inner();
  if (text === '') options.lost(type);
  return text;
}

/** The bits by which Lexical marks a text, and their elements, the innermost first. */
const formats: readonly (readonly [bit: number, name: string])[] = [
  [16, 'code'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
  [4, 's'],
  [8, 'u'],
  [2, 'em'],
  [1, 'strong'],
];

const formatted = (text: string, format: number): string =>
  formats.reduce((inner, [bit, name]) => ((format & bit) === 0 ? inner : `<${name}>${inner}</${name}>`), text);

function element(name: string, inner: string, { format }: Table): string {
  const isAligned = typeof format === 'string' && /^(?:left|right|center|justify|start|end)$/.test(format);
  return `<${name}${isAligned && format !== 'left' ? ` style="text-align: ${format}"` : ''}>${inner}</${name}>`;
}

const marked = ({ checked }: Table): string => (checked === true ? '☑ ' : checked === false ? '☐ ' : '');

function link(node: Table, inner: string, { address }: LexicalOptions): string {
  const href = address === undefined ? stringOf(node.url) : address(node);
  if (href === '') return inner;
  const fields = isTable(node.fields) ? node.fields : node;
  const isNew = fields.newTab === true || node.target === '_blank';
  return `<a href="${escaped(href)}"${isNew ? ' target="_blank"' : ''}>${inner}</a>`;
}

const stringOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** A text as HTML shows it. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
