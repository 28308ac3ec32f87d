import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { escaped } from '../importers/lexical-html.ts';

/** How a document of Mobiledoc becomes HTML. */
export interface MobiledocOptions {
  /** The HTML of a card, whose name is its `type`; undefined: there is none. */
  card(node: Table): string | undefined;
  /** Called with the name of a card that is left out. */
  lost(type: string): void;
}

const arrayOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const nameOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

const sectionNames = /^(?:p|h[1-6]|blockquote|aside)$/;
const markupNames = /^(?:a|b|strong|i|em|u|s|code|sub|sup|del|mark)$/;

/** The HTML of a document of Mobiledoc, version 0.3. */
export function mobiledocHtml(document: Table, options: MobiledocOptions): string {
  return arrayOf(document.sections)
    .map((section) => sectionHtml(arrayOf(section), document, options))
    .join('');
}

function sectionHtml(section: readonly JsonValue[], document: Table, options: MobiledocOptions): string {
  const [kind, first, second] = section;
  const name = nameOf(first);
  switch (kind) {
    case 1: {
      const element = sectionNames.test(name) ? name.replace('aside', 'blockquote') : 'p';
      return `<${element}>${markersHtml(arrayOf(second), document)}</${element}>`;
    }
    case 3: {
      const items = arrayOf(second).map((item) => `<li>${markersHtml(arrayOf(item), document)}</li>`);
      const element = name === 'ol' ? 'ol' : 'ul';
      return `<${element}>${items.join('')}</${element}>`;
    }
    case 10:
      return cardHtml(arrayOf(arrayOf(document.cards)[Number(first)]), options);
    default:
      return '';
  }
}

function cardHtml([name, payload]: readonly JsonValue[], { card, lost }: MobiledocOptions): string {
  const html = card({ ...(payload !== undefined && isTable(payload) ? payload : {}), type: nameOf(name) });
  if (html === undefined) lost(nameOf(name));
  return html ?? '';
}

/** Markers open and close markups: `[kind, [opened markups], how many are closed behind it, text]`. */
function markersHtml(markers: readonly JsonValue[], { markups, atoms }: Table): string {
  const open: string[] = [];
  const html: string[] = [];
  const closeLast = (): void => {
    const name = open.pop();
    if (name !== undefined && name !== '') html.push(`</${name}>`);
  };
  for (const marker of markers) {
    const [kind, opened, closed, value] = arrayOf(marker);
    for (const index of arrayOf(opened)) {
      const [name, attributes] = arrayOf(arrayOf(markups)[Number(index)]);
      const element = markupNames.test(nameOf(name)) ? nameOf(name) : '';
      open.push(element);
      if (element !== '') html.push(`<${element}${element === 'a' ? hrefOf(arrayOf(attributes)) : ''}>`);
    }
    html.push(kind === 1 ? atomHtml(arrayOf(arrayOf(atoms)[Number(value)])) : escaped(nameOf(value)));
    for (let count = Math.min(Number(closed) || 0, open.length); count > 0; count -= 1) closeLast();
  }
  while (open.length > 0) closeLast();
  return html.join('');
}

const atomHtml = ([name, text]: readonly JsonValue[]): string =>
  name === 'soft-return' ? '<br>' : escaped(nameOf(text));

function hrefOf(attributes: readonly JsonValue[]): string {
  const at = attributes.indexOf('href');
  return at < 0 ? '' : ` href="${escaped(nameOf(attributes[at + 1]))}"`;
}
