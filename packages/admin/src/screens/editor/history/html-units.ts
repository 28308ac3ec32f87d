import { droppedWithText } from '../../../fields/richtext/html/allowed-html.ts';
import { unguardedHtml } from '../../../fields/richtext/html/guarded-html.ts';
import { inertHtml } from '../../../fields/richtext/html/inert-html.ts';
import { words } from '../differences/text-difference.ts';
import { type LineLook, lineKey, type Mark, type TextLine, type TextUnit, type Word } from './text-unit.ts';

/** Elements that begin a line of their own, and how it looks; null: like the one around them. */
const lineLooks: ReadonlyMap<string, LineLook | null> = new Map<string, LineLook | null>([
  ...(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const).map((name) => [name, name] as const),
  ...([
    ['li', 'item'],
    ['dt', 'item'],
    ['dd', 'item'],
    ['pre', 'code'],
    ['tr', 'row'],
    ['blockquote', 'quote'],
  ] as const),
  ...['p', 'div', 'section', 'article', 'aside', 'header', 'footer', 'address', 'figure', 'figcaption'].map(
    (name) => [name, null] as const,
  ),
  ...['ul', 'ol', 'dl', 'table', 'caption', 'details', 'summary'].map((name) => [name, null] as const),
]);
const lists: ReadonlySet<string> = new Set(['ul', 'ol', 'dl']);

const marks: ReadonlyMap<string, Mark> = new Map<string, Mark>([
  ...([
    ['b', 'strong'],
    ['strong', 'strong'],
    ['i', 'em'],
    ['em', 'em'],
    ['cite', 'em'],
  ] as const),
  ...([
    ['u', 'u'],
    ['ins', 'u'],
    ['s', 's'],
    ['strike', 's'],
    ['del', 's'],
    ['mark', 'mark'],
  ] as const),
  ...([
    ['code', 'code'],
    ['kbd', 'code'],
    ['samp', 'code'],
    ['sub', 'sub'],
    ['sup', 'sup'],
    ['a', 'link'],
  ] as const),
]);

/** What is shown as a picture, or as a name in its place. */
const pictures: ReadonlySet<string> = new Set(['img', 'video', 'audio', 'iframe']);
const dropped: ReadonlySet<string> = new Set(droppedWithText);

/** The units of a rich text. Read from a document that is never shown: what is shown is made of words and marks that are known here. */
export function htmlUnits(html: string): readonly TextUnit[] {
  const units: TextUnit[] = [];
  let inline: Node[] = [];
  const end = (): void => {
    if (inline.length > 0) units.push(unitOf(inline));
    inline = [];
  };
  for (const node of inertHtml(html).childNodes) {
    const isBlock = node instanceof Element && (lineLooks.has(node.localName) || node.localName === 'hr');
    const last = units.at(-1);
    if (isBlock) {
      end();
      units.push(unitOf([node]));
    } else if (inline.length === 0 && last !== undefined && isSpace(node)) {
      units[units.length - 1] = { ...last, source: last.source + sourceOf([node]) };
    } else inline.push(node);
  }
  end();
  return units;
}

const isSpace = (node: Node): boolean => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() === '';

function unitOf(nodes: readonly Node[]): TextUnit {
  const reader = new LineReader();
  for (const node of nodes) reader.read(node);
  const lines = reader.end();
  return { key: lines.map(lineKey).join('\n\n'), source: sourceOf(nodes), lines };
}

function sourceOf(nodes: readonly Node[]): string {
  const around = nodes[0]?.ownerDocument?.createElement('div');
  if (around === undefined) return '';
  around.append(...nodes.map((node) => node.cloneNode(true)));
  return unguardedHtml(around.innerHTML);
}

interface Place {
  readonly look: LineLook;
  readonly level: number;
  readonly marks: readonly Mark[];
  readonly address?: string;
}

class LineReader {
  readonly #lines: TextLine[] = [];
  #words: Word[] = [];

  read(node: Node, place: Place = { look: 'text', level: 0, marks: [] }): void {
    if (node.nodeType === Node.TEXT_NODE) this.#text(node.textContent ?? '', place);
    if (!(node instanceof Element)) return;
    const { localName: name } = node;
    if (dropped.has(name)) return;
    const look = lineLooks.get(name);
    if (name === 'hr') {
      this.#flush(place);
      this.#lines.push({ look: 'rule', level: 0, words: [] });
    } else if (name === 'br') this.#words.push({ text: '\n', marks: [] });
    else if (pictures.has(name)) this.#picture(node, place);
    else if (look !== undefined) this.#block(node, place, look ?? place.look);
    else {
      this.#children(node, marked(node, place));
      // Between the cells of a row.
      if ((name === 'td' || name === 'th') && node.nextElementSibling !== null)
        this.#words.push({ text: ' │ ', marks: [] });
    }
  }

  end(): readonly TextLine[] {
    this.#flush({ look: 'text', level: 0, marks: [] });
    return this.#lines;
  }

  #block(element: Element, place: Place, look: LineLook): void {
    // A cell's own paragraphs are part of its row.
    if (place.look === 'row') {
      this.#children(element, place);
      return;
    }
    this.#flush(place);
    const inside = { ...place, look, level: place.level + (lists.has(element.localName) ? 1 : 0) };
    this.#children(element, inside);
    this.#flush(inside);
  }

  #children(element: Element, place: Place): void {
    for (const child of element.childNodes) this.read(child, place);
  }

  #text(text: string, { look, marks, address }: Place): void {
    const shown = look === 'code' ? text : text.replace(/[ \t\r\n]+/g, ' ');
    const isStart = this.#words.length === 0;
    if (shown === '' || (isStart && look !== 'code' && shown.trim() === '')) return;
    const link = address === undefined ? {} : { address };
    this.#words.push(...words(shown).map((word) => ({ text: word, marks, ...link })));
  }

  #picture(element: Element, { marks }: Place): void {
    const address = element.getAttribute('src') ?? '';
    const file =
      address
        .replace(/[?#].*$/, '')
        .split('/')
        .at(-1) ?? '';
    this.#words.push({ text: element.getAttribute('alt') || file, marks, address, isPicture: true });
  }

  #flush({ look, level }: Place): void {
    const found = this.#words;
    this.#words = [];
    const end = look === 'code' ? found.length : found.findLastIndex(({ text }) => text.trim() !== '') + 1;
    if (end > 0) this.#lines.push({ look, level, words: found.slice(0, end) });
  }
}

function marked(element: Element, place: Place): Place {
  const mark = marks.get(element.localName);
  if (mark === undefined) return place;
  const next = { ...place, marks: place.marks.includes(mark) ? place.marks : [...place.marks, mark].toSorted() };
  return mark === 'link' ? { ...next, address: element.getAttribute('href') ?? '' } : next;
}
