import type { Table } from '../../values/json-table.ts';
import { isTable } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { type ForeignFile, type ForeignValue, TextWithFiles } from '../importers/foreign-value.ts';
import { idOf, tableOf, tablesOf } from './contentful-source.ts';

/** What documents name besides their text. */
export interface RichTextParts {
  file(id: string): ForeignFile | undefined;
  /** What people see of an entry. */
  title(id: string): string;
  /** Called where parts are left out because they are nested too deep. */
  tooDeep(): void;
}

type Piece = TextWithFiles['pieces'][number];

const elements: Readonly<Record<string, string>> = {
  ...{ paragraph: 'p', 'heading-1': 'h1', 'heading-2': 'h2', 'heading-3': 'h3', 'heading-4': 'h4', 'heading-5': 'h5' },
  ...{ 'heading-6': 'h6', 'unordered-list': 'ul', 'ordered-list': 'ol', 'list-item': 'li', blockquote: 'blockquote' },
  ...{ table: 'table', 'table-row': 'tr', 'table-cell': 'td', 'table-header-cell': 'th' },
};
const marks: Readonly<Record<string, string>> = {
  ...{ bold: 'strong', italic: 'em', underline: 'u', code: 'code', superscript: 'sup', subscript: 'sub' },
  strikethrough: 's',
};
/** What is nested without end would end the stack of what walks through it. */
const deepest = 100;

/** A document as HTML. */
export function richTextHtml(document: JsonValue | undefined, parts: RichTextParts): ForeignValue {
  if (!isTable(document)) return null;
  const pieces = mergedPieces([...children(document, parts, 0)]);
  const [only] = pieces;
  return pieces.every((piece) => typeof piece === 'string') ? String(only ?? '') : new TextWithFiles(pieces);
}

/** The entries that a document shows: they are no text. */
export function* entriesIn(node: JsonValue | undefined, depth = 0): Generator<string> {
  if (!isTable(node) || depth > deepest) return;
  if (/^embedded-entry|^entry-hyperlink|^embedded-resource|^resource-hyperlink/.test(String(node.nodeType)))
    yield idOf(tableOf(node.data).target);
  for (const child of tablesOf(node.content)) yield* entriesIn(child, depth + 1);
}

function* children(node: Table, parts: RichTextParts, depth: number): Generator<Piece> {
  const inner = tablesOf(node.content);
  if (depth > deepest) {
    if (inner.length > 0) parts.tooDeep();
    return;
  }
  for (const child of inner) yield* html(child, parts, depth + 1);
}

function* html(node: Table, parts: RichTextParts, depth: number): Generator<Piece> {
  const type = String(node.nodeType);
  const element = elements[type];
  if (element !== undefined) {
    yield `<${element}>`;
    yield* children(node, parts, depth);
    yield `</${element}>`;
    return;
  }
  const target = tableOf(node.data);
  switch (type) {
    case 'text':
      yield marked(escaped(String(node.value ?? '')).replaceAll('\n', '<br>'), node);
      return;
    case 'hr':
      yield '<hr>';
      return;
    case 'hyperlink':
      yield `<a href="${escaped(String(target.uri ?? ''))}">`;
      yield* children(node, parts, depth);
      yield '</a>';
      return;
    case 'embedded-asset-block':
    case 'asset-hyperlink':
      yield* asset(node, idOf(target.target), parts, depth);
      return;
    case 'embedded-entry-block':
      yield `<p>${escaped(parts.title(idOf(target.target)))}</p>`;
      return;
    case 'embedded-entry-inline':
      yield escaped(parts.title(idOf(target.target)));
      return;
    default:
      yield* children(node, parts, depth);
  }
}

function* asset(node: Table, id: string, parts: RichTextParts, depth: number): Generator<Piece> {
  const file = parts.file(id);
  if (file === undefined) return yield* children(node, parts, depth);
  const isImage = node.nodeType === 'embedded-asset-block' && /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(file.name);
  yield isImage ? '<img src="' : '<a href="';
  yield { file, otherwise: '' };
  if (isImage) return yield `" alt="${escaped(file.about.alt ?? '')}">`;
  yield '">';
  yield* node.nodeType === 'asset-hyperlink' ? children(node, parts, depth) : [escaped(file.name)];
  yield '</a>';
}

const marked = (text: string, node: Table): string =>
  tablesOf(node.marks).reduce((inner, { type }) => {
    const element = marks[String(type)];
    return element === undefined ? inner : `<${element}>${inner}</${element}>`;
  }, text);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function mergedPieces(pieces: readonly Piece[]): readonly Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') merged[merged.length - 1] = last + piece;
    else merged.push(piece);
  }
  return merged;
}
