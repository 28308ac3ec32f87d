import { droppedWithText, isAllowedAddress, isEmbed } from '../html/allowed-html.ts';
import { guardedStyle } from '../html/guarded-html.ts';
import { inertDocument } from '../html/inert-html.ts';
import { type Footnote, type Footnotes, findFootnotes } from './footnotes.ts';
import { headingSizes } from './heading-sizes.ts';
import { collapsed, isBlank, isEmpty, paragraphs, type Run, type Wrap, withoutBold, writeRuns } from './inline-runs.ts';
import { ListWriter, listKind } from './list-writer.ts';
import { pastedAddress } from './pasted-address.ts';
import { PastedStyles, type Styles } from './pasted-styles.ts';
import { type Look, lookIn, plainLook } from './text-look.ts';

/** What was pasted, as the editor takes it. */
export interface PastedHtml {
  /** Of an inert document. */
  readonly body: Element;
  /** How many pictures are files of the other computer or parts of a mail, which no page can read. */
  readonly lostPictures: number;
}

interface Inherited {
  readonly look: Look;
  readonly wraps: readonly Wrap[];
}

/** Where blocks are written, and the text that becomes the next one. */
interface Sink {
  readonly into: Element;
  runs: Run[];
  readonly lists: ListWriter;
}

const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote body center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html iframe li main nav ol p pre section table tbody td tfoot th thead tr ul audio video'.split(
    ' ',
  ),
);

/** Elements within a line that say more than how text looks, with what stays of them. */
const meaningful: Readonly<Record<string, readonly string[]>> = {
  abbr: ['title'],
  cite: [],
  dfn: [],
  ins: [],
  kbd: [],
  mark: [],
  q: [],
  samp: [],
  small: [],
  time: ['datetime'],
  var: [],
};

const players: Readonly<Record<string, readonly string[]>> = {
  audio: ['src', 'controls'],
  iframe: ['src', 'width', 'height', 'allowfullscreen'],
  video: ['src', 'poster', 'controls', 'width', 'height'],
};

const dropped: ReadonlySet<string> = new Set([...droppedWithText, 'button', 'link', 'meta', 'base', 'nav']);

const hasBlocks = (element: Element): boolean =>
  [...element.children].some((child) => blocks.has(child.localName) || hasBlocks(child));

/**
 * Reads what another program copied. It is written anew out of its words, what they look like and how they are ordered, so that nothing
 * else of the other program stays: no classes, names, languages, fonts or colours. `newId` makes names of footnotes.
 */
export function pastedHtml(root: Element, newId: () => string): PastedHtml {
  return new Reader(root, newId).read();
}

class Reader {
  readonly #root: Element;
  readonly #document = inertDocument();
  readonly #styles: PastedStyles;
  readonly #footnotes: Footnotes;
  readonly #headingBySize: (block: Element) => 'h2' | 'h3' | undefined;
  readonly #newId: () => string;
  readonly #ids = new Map<Footnote, string>();
  #lostPictures = 0;

  constructor(root: Element, newId: () => string) {
    this.#root = root;
    this.#newId = newId;
    this.#styles = new PastedStyles(root);
    this.#footnotes = findFootnotes(root, this.#styles);
    this.#headingBySize = headingSizes(root, this.#styles);
  }

  read(): PastedHtml {
    const { body } = this.#document;
    this.#fill(body, this.#root, { look: plainLook, wraps: [] });
    const last = body.lastElementChild;
    if (this.#ids.size > 0 && last?.localName === 'hr') last.remove();
    this.#writeNotes(body);
    return { body, lostPictures: this.#lostPictures };
  }

  #make(tag: string): Element {
    return this.#document.createElement(tag);
  }

  /** Writes the children of one element as blocks into another. */
  #fill(into: Element, from: Element, inherited: Inherited): void {
    const sink: Sink = { into, runs: [], lists: new ListWriter(into) };
    this.#children(from, inherited, sink);
    this.#flush(sink);
  }

  #children(from: Element, inherited: Inherited, sink: Sink): void {
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) this.#text(node.nodeValue ?? '', from, inherited, sink);
      else if (node instanceof Element) this.#element(node, inherited, sink);
    }
  }

  #text(text: string, parent: Element, { look, wraps }: Inherited, sink: Sink): void {
    // Between blocks, line breaks are those of the source.
    if (!look.keepsLines || (isBlank(text) && hasBlocks(parent))) {
      sink.runs.push({ kind: 'text', text, look, wraps });
      return;
    }
    for (const [at, line] of text.split(/\r?\n/).entries()) {
      if (at > 0) sink.runs.push({ kind: 'break' });
      sink.runs.push({ kind: 'text', text: line, look, wraps });
    }
  }

  #element(element: Element, outer: Inherited, sink: Sink): void {
    const name = element.localName;
    const footnote = this.#footnotes.byReference.get(element);
    if (footnote !== undefined) {
      this.#reference(footnote, sink);
      return;
    }
    if (this.#isUnseen(element)) return;
    const styles = this.#styles.of(element);
    if (/^none$/i.test(styles.get('display') ?? '') || /^all$/i.test(styles.get('mso-hide') ?? '')) return;
    if (name === 'br') sink.runs.push({ kind: 'break' });
    else if (/^Apple-converted-space$/i.test(element.className)) sink.runs.push({ kind: 'text', text: ' ', ...outer });
    else if (name === 'img') this.#picture(element, outer, sink);
    else if (name === 'input') this.#input(element, outer, sink);
    else {
      const look = lookIn(element, styles, outer.look);
      const inner = { look, wraps: [...outer.wraps, ...this.#wrapsOf(element)] };
      if (blocks.has(name)) this.#block(element, styles, inner, sink);
      else this.#children(element, inner, sink);
    }
  }

  #isUnseen(element: Element): boolean {
    return (
      dropped.has(element.localName) ||
      this.#footnotes.notes.has(element) ||
      this.#footnotes.isList(element) ||
      element.hasAttribute('hidden') ||
      [...this.#footnotes.byReference.values()].some(({ back }) => back === element)
    );
  }

  #wrapsOf(element: Element): readonly Wrap[] {
    const tag = element.localName;
    if (tag === 'a') {
      const href = pastedAddress(element.getAttribute('href') ?? '');
      const title = element.getAttribute('title') ?? '';
      return href === undefined ? [] : [{ tag, attributes: title === '' ? { href } : { href, title } }];
    }
    const names = meaningful[tag];
    return names === undefined ? [] : [{ tag, attributes: attributesOf(element, names) }];
  }

  #reference(footnote: Footnote, sink: Sink): void {
    const id = this.#ids.get(footnote) ?? this.#newId();
    const isFirst = !this.#ids.has(footnote);
    this.#ids.set(footnote, id);
    const link = this.#make('a');
    if (isFirst) link.setAttribute('id', `fnref-${id}`);
    link.setAttribute('href', `#fn-${id}`);
    const mark = this.#make('sup');
    mark.append(String(footnote.number));
    link.append(mark);
    sink.runs.push({ kind: 'element', element: link, wraps: [] });
  }

  #writeNotes(into: Element): void {
    if (this.#ids.size === 0) return;
    const list = this.#make('ol');
    list.className = 'footnotes';
    for (const [{ note }, id] of [...this.#ids].sort(([a], [b]) => a.number - b.number)) {
      const item = this.#make('li');
      item.id = `fn-${id}`;
      this.#fill(item, note, { look: plainLook, wraps: [] });
      const back = this.#make('a');
      back.setAttribute('href', `#fnref-${id}`);
      back.append('↩');
      const last = item.lastElementChild;
      if (last?.localName === 'p') last.append(' ', back);
      else {
        const line = this.#make('p');
        line.append(back);
        item.append(line);
      }
      list.append(item);
    }
    into.append(list);
  }

  #picture(element: Element, { look, wraps }: Inherited, sink: Sink): void {
    const alt = element.getAttribute('alt') ?? '';
    // Mail programs and chats write emoji as pictures.
    if (/^\p{Extended_Pictographic}/u.test(alt) && alt.length < 16) {
      sink.runs.push({ kind: 'text', text: alt, look, wraps });
      return;
    }
    if (element.getAttribute('width') === '1' && element.getAttribute('height') === '1') return;
    const src = (element.getAttribute('src') ?? '').trim();
    const isData = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,/i.test(src);
    if (!isData && (src === '' || !isAllowedAddress(src) || /^(?:mailto|tel):/i.test(src))) {
      this.#lostPictures += 1;
      return;
    }
    const picture = this.#make('img');
    picture.setAttribute('src', src);
    picture.setAttribute('alt', alt.replace(/\s+/g, ' ').trim());
    for (const name of ['width', 'height']) {
      const size = element.getAttribute(name) ?? '';
      if (/^\d+$/.test(size)) picture.setAttribute(name, size);
    }
    sink.runs.push({ kind: 'element', element: picture, wraps });
  }

  #input(element: Element, { look, wraps }: Inherited, sink: Sink): void {
    if (element.getAttribute('type') !== 'checkbox') return;
    sink.runs.push({ kind: 'text', text: element.hasAttribute('checked') ? '☑ ' : '☐ ', look, wraps });
  }

  #block(element: Element, styles: Styles, inner: Inherited, sink: Sink): void {
    const item = wordItem(styles);
    if (item !== undefined) {
      this.#flush(sink, false);
      this.#wordItem(element, item, inner, sink);
      return;
    }
    this.#flush(sink, !isWebItemList(element));
    const name = element.localName;
    if (/^h[1-6]$/.test(name)) this.#textBlock(name, element, styles, inner, sink);
    else if (name === 'p' || name === 'div' || name === 'dd' || name === 'dt')
      this.#paragraph(element, styles, inner, sink);
    else if (name === 'ul' || name === 'ol' || name === 'dir' || name === 'li') this.#list(element, inner, sink);
    else if (name === 'blockquote' || name === 'details') this.#container(name, element, inner, sink);
    else if (name === 'pre') this.#code(element, sink);
    else if (name === 'hr') sink.into.append(this.#make('hr'));
    else if (name === 'table') this.#table(element, inner, sink);
    else if (name === 'figure') this.#figure(element, inner, sink);
    else if (players[name] !== undefined) this.#player(element, sink);
    else this.#children(element, inner, sink);
    this.#flush(sink, !isWebItemList(element));
  }

  /** Writes the text that has come together as paragraphs. */
  #flush(sink: Sink, closesList = true): void {
    const { runs } = sink;
    sink.runs = [];
    if (isEmpty(runs)) {
      if (closesList) sink.lists.close();
      return;
    }
    sink.lists.close();
    for (const line of paragraphs(runs)) {
      const paragraph = this.#make('p');
      writeRuns(paragraph, line);
      sink.into.append(paragraph);
    }
  }

  #paragraph(element: Element, styles: Styles, inner: Inherited, sink: Sink): void {
    const name = /\bMsoTitle\b/.test(element.className) ? 'h1' : this.#headingBySize(element);
    if (name !== undefined && !hasBlocks(element)) {
      this.#textBlock(name, element, styles, inner, sink);
      return;
    }
    if (hasBlocks(element) || element.localName === 'dt') {
      const look = element.localName === 'dt' ? { ...inner.look, bold: true } : inner.look;
      this.#children(element, { ...inner, look }, sink);
      return;
    }
    this.#textBlock('p', element, styles, inner, sink);
  }

  /** A paragraph or heading. */
  #textBlock(tag: string, element: Element, styles: Styles, inner: Inherited, sink: Sink): void {
    const own: Sink = { into: sink.into, runs: [], lists: sink.lists };
    // The boldness of a heading's own style is what headings look like.
    this.#children(element, inner, own);
    const lines = tag === 'p' ? paragraphs(own.runs) : [collapsed(withoutBold(own.runs))];
    if (isEmpty(own.runs)) return;
    for (const line of lines) {
      const block = this.#make(tag);
      const align = styles.get('text-align') ?? element.getAttribute('align') ?? '';
      if (/^(?:center|right)$/i.test(align)) block.setAttribute(guardedStyle, `text-align:${align.toLowerCase()}`);
      if (element.getAttribute('dir') === 'rtl') block.setAttribute('dir', 'rtl');
      writeRuns(block, line);
      sink.into.append(block);
    }
  }

  #container(tag: string, element: Element, inner: Inherited, sink: Sink): void {
    const made = this.#make(tag);
    const summary = tag === 'details' ? element.querySelector(':scope > summary') : null;
    if (summary !== null) {
      const title = this.#make('summary');
      title.append((summary.textContent ?? '').replace(/\s+/g, ' ').trim());
      made.append(title);
      summary.remove();
    }
    this.#fill(made, element, inner);
    if (made.childNodes.length > 0) sink.into.append(made);
  }

  #list(element: Element, inner: Inherited, sink: Sink): void {
    if (element.localName === 'li') {
      const list = this.#make('ul');
      this.#item(element, inner, list, sink);
      if (list.childElementCount > 0) sink.into.append(list);
      return;
    }
    const tag = element.localName === 'ol' ? 'ol' : 'ul';
    const list = this.#make(tag);
    if (tag === 'ol') {
      for (const [name, pattern] of listAttributes) {
        const value = element.getAttribute(name);
        if (value !== null && value !== '1' && pattern.test(value)) list.setAttribute(name, value);
      }
    }
    for (const child of element.children) {
      if (/^(?:ul|ol|dir)$/.test(child.localName)) this.#listInside(child, inner, list);
      else this.#item(child, inner, list, sink);
    }
    if (list.childElementCount > 0) sink.into.append(list);
  }

  /** Google Docs and OneNote write a list of a deeper level beside the item that it belongs to. */
  #listInside(element: Element, inner: Inherited, list: Element): void {
    const item = list.lastElementChild ?? list.appendChild(this.#make('li'));
    this.#fillWith(item, (sink) => this.#element(element, inner, sink));
  }

  #item(element: Element, inner: Inherited, list: Element, outer: Sink): void {
    const level = Number(element.getAttribute('data-aria-level') ?? 0);
    const made = this.#make('li');
    const styles = this.#styles.of(element);
    if (this.#isUnseen(element)) return;
    const look = lookIn(element, styles, inner.look);
    this.#fill(made, element, { ...inner, look });
    if (made.childNodes.length === 0) return;
    if (level > 0) {
      const tag = list.localName === 'ol' ? 'ol' : 'ul';
      const start = Number(element.closest('ol, ul')?.getAttribute('start') ?? 1);
      const key = `${element.getAttribute('data-listid')} ${tag}`;
      outer.lists.add(level, { tag, start: tag === 'ol' ? start : undefined, type: undefined }, key, made);
    } else list.append(made);
  }

  #fillWith(into: Element, write: (sink: Sink) => void): void {
    const sink: Sink = { into, runs: [], lists: new ListWriter(into) };
    write(sink);
    this.#flush(sink);
  }

  /** An item of a list as Word writes it: a paragraph that begins with the mark. */
  #wordItem(element: Element, { list, level }: WordItem, inner: Inherited, sink: Sink): void {
    const mark = [...element.querySelectorAll('*')].find((one) =>
      /ignore/i.test(this.#styles.of(one).get('mso-list') ?? ''),
    );
    const kind = listKind(mark?.textContent ?? '');
    mark?.remove();
    const item = this.#make('li');
    this.#fillWith(item, (own) => this.#textBlock('p', element, noAlignment, inner, own));
    if (item.childNodes.length > 0) sink.lists.add(level, kind, `${list} ${kind.tag}`, item);
  }

  #code(element: Element, sink: Sink): void {
    for (const line of element.querySelectorAll('br')) line.replaceWith('\n');
    const text = (element.textContent ?? '')
      .replace(/\u00a0/g, ' ')
      .replace(/\r/g, '')
      .replace(/\n+$/, '');
    if (isBlank(text)) return;
    const pre = this.#make('pre');
    const code = this.#make('code');
    const classes = `${element.className} ${element.querySelector('code')?.className ?? ''} ${element.parentElement?.className ?? ''}`;
    const language = /(?:language-|lang-|highlight-source-)([\w+#-]+)/.exec(classes)?.[1];
    if (language !== undefined) code.className = `language-${language}`;
    code.append(text);
    pre.append(code);
    sink.into.append(pre);
  }

  #table(element: Element, inner: Inherited, sink: Sink): void {
    const rows = [...element.querySelectorAll('tr')].filter((row) => row.closest('table') === element);
    const cells = rows.flatMap((row) => cellsOf(row));
    const isLayout =
      /^(?:presentation|none)$/.test(element.getAttribute('role') ?? '') ||
      cells.length < 2 ||
      cells.some((cell) => cell.querySelector('table') !== null);
    if (isLayout) {
      for (const cell of cells) {
        this.#children(cell, { ...inner, look: lookIn(cell, this.#styles.of(cell), inner.look) }, sink);
        this.#flush(sink);
      }
      return;
    }
    const table = this.#make('table');
    const caption = element.querySelector(':scope > caption')?.textContent?.trim() ?? '';
    if (caption !== '') {
      const line = this.#make('p');
      line.append(caption);
      sink.into.append(line);
    }
    const body = this.#make('tbody');
    for (const row of rows) this.#row(row, inner, body);
    table.append(body);
    sink.into.append(table);
  }

  #row(row: Element, inner: Inherited, body: Element): void {
    const made = this.#make('tr');
    const isHead = row.parentElement?.localName === 'thead';
    const rowLook = lookIn(row, this.#styles.of(row), inner.look);
    for (const cell of cellsOf(row)) {
      const styles = this.#styles.of(cell);
      if (/^none$/i.test(styles.get('display') ?? '')) continue;
      const into = this.#make(isHead ? 'th' : cell.localName);
      for (const name of ['colspan', 'rowspan']) {
        const span = cell.getAttribute(name) ?? '';
        if (/^\d{1,3}$/.test(span) && span !== '1') into.setAttribute(name, span);
      }
      const look = { ...lookIn(cell, styles, rowLook), script: undefined };
      this.#fill(into, cell, { ...inner, look: into.localName === 'th' ? { ...look, bold: false } : look });
      if (into.childElementCount === 0) into.append(this.#make('p'));
      if (into.localName === 'th') unwrapBold(into);
      made.append(into);
    }
    if (made.childElementCount > 0) body.append(made);
  }

  #figure(element: Element, inner: Inherited, sink: Sink): void {
    const caption = element.querySelector('figcaption');
    const picture = element.querySelector('img');
    const text = (caption?.textContent ?? '').replace(/[\s\u00a0]+/g, ' ').trim();
    if (picture === null || text === '' || element.querySelectorAll('img').length > 1) {
      this.#children(element, inner, sink);
      return;
    }
    const own: Sink = { into: sink.into, runs: [], lists: sink.lists };
    this.#picture(picture, inner, own);
    const found = own.runs[0];
    if (found?.kind !== 'element') return;
    const figure = this.#make('figure');
    const words = this.#make('figcaption');
    words.append(text);
    figure.append(found.element, words);
    sink.into.append(figure);
  }

  #player(element: Element, sink: Sink): void {
    const name = element.localName;
    const src = element.getAttribute('src') ?? '';
    const isShown = name === 'iframe' ? isEmbed(src) : src !== '' && isAllowedAddress(src);
    if (!isShown) return;
    const made = this.#make(name);
    for (const [key, value] of Object.entries(attributesOf(element, players[name] ?? [])))
      made.setAttribute(key, value);
    sink.into.append(made);
  }
}

const noAlignment: Styles = new Map();

const listAttributes: readonly (readonly [string, RegExp])[] = [
  ['start', /^\d{1,6}$/],
  ['type', /^[aAiI]$/],
  ['reversed', /^/],
];

interface WordItem {
  readonly list: string;
  readonly level: number;
}

/** `mso-list: l0 level2 lfo1`. */
function wordItem(styles: Styles): WordItem | undefined {
  const found = /\bl(\d+)\s+level(\d+)/i.exec(styles.get('mso-list') ?? '');
  return found === null ? undefined : { list: found[1] ?? '', level: Number(found[2]) };
}

/** Word for the web writes each item as a list of its own. */
const isWebItemList = (element: Element): boolean =>
  element.localName === 'li'
    ? element.hasAttribute('data-aria-level')
    : element.querySelector('li[data-aria-level]') !== null && [...element.children].every(isWebItemList);

const cellsOf = (row: Element): readonly Element[] =>
  [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th');

function unwrapBold(cell: Element): void {
  const bold = [...cell.querySelectorAll('strong')];
  const isAll = bold.map(({ textContent }) => textContent ?? '').join('') === (cell.textContent ?? '');
  if (isAll) for (const element of bold) element.replaceWith(...element.childNodes);
}

function attributesOf(element: Element, names: readonly string[]): Readonly<Record<string, string>> {
  const found = names.flatMap((name) => {
    const value = element.getAttribute(name);
    const isAddress = name === 'src' || name === 'poster';
    return value === null || (isAddress && !isAllowedAddress(value)) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}
