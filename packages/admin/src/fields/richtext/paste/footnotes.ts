import type { PastedStyles } from './pasted-styles.ts';

export interface Footnote {
  /** From 1, in the order of the text. */
  readonly number: number;
  /** The elements that hold its text. */
  readonly note: Element;
  /** The link back to the text, which is written anew. */
  readonly back: Element;
}

/** The footnotes of a pasted text. */
export interface Footnotes {
  /** By the link in the text that leads to them. */
  readonly byReference: ReadonlyMap<Element, Footnote>;
  readonly notes: ReadonlySet<Element>;
  /** Holds nothing but footnotes, and a line above them. */
  isList(element: Element): boolean;
}

const noteId = /(?:ftn|footnote|edn|endnote|fn)/i;

/** The whole of a note: Word and LibreOffice write a division around its paragraphs. */
function noteOf(back: Element): Element | undefined {
  const block = back.closest('li, p, dd, div');
  const outer = block?.parentElement;
  if (block === null || outer === null || outer === undefined) return undefined;
  const isOuter = /^(?:div|li)$/.test(outer.localName) && noteId.test(outer.id) && outer.firstElementChild === block;
  return isOuter ? outer : block;
}

/**
 * Finds footnotes: a link to a place in what was pasted, from where another leads back. Word, LibreOffice, Google Docs and most programs that
 * make pages write them so, with different names.
 */
export function findFootnotes(root: Element, styles: PastedStyles): Footnotes {
  const links = [...root.querySelectorAll('a[href^="#"]')];
  const places = new Map<string, Element>();
  for (const element of root.querySelectorAll('[id], a[name]')) {
    for (const name of [element.id, element.getAttribute('name') ?? '']) if (name !== '') places.set(name, element);
  }
  const target = (link: Element): Element | undefined => places.get(link.getAttribute('href')?.slice(1) ?? '');
  const byReference = new Map<Element, Footnote>();
  const backs = new Set<Element>();
  const notes = new Map<Element, Footnote>();
  for (const link of links) {
    const place = backs.has(link) ? undefined : target(link);
    if (place === undefined) continue;
    const inside = [place, ...place.querySelectorAll('a[href^="#"]')];
    const back = inside.find((one) => one !== link && leadsTo(one, link, target));
    const note = back === undefined ? undefined : noteOf(back);
    if (back === undefined || note === undefined || note.contains(link) || backs.has(back)) continue;
    const footnote = notes.get(note) ?? { number: notes.size + 1, note, back };
    // A second mark of the same note.
    backs.add(back);
    notes.set(note, footnote);
    byReference.set(link, footnote);
  }
  const isList = (element: Element): boolean =>
    /^(?:footnote|endnote)-list$/i.test(styles.of(element).get('mso-element') ?? '') ||
    (notes.size > 0 &&
      element.children.length > 0 &&
      [...element.children].every((child) => notes.has(child) || child.localName === 'hr' || isList(child)));
  return { byReference, notes: new Set(notes.keys()), isList };
}

function leadsTo(back: Element, link: Element, target: (link: Element) => Element | undefined): boolean {
  if (back.localName !== 'a') return false;
  const place = target(back);
  return place !== undefined && (place === link || place.contains(link) || link.contains(place));
}
