import type { Node } from '@tiptap/pm/model';

/** The mark of a footnote in the text. */
export interface FootnoteMark {
  readonly at: number;
  /** The name of its note. */
  readonly note: string;
  readonly node: Node;
}

/** A list of notes: each of its items has a name. */
export interface FootnoteList {
  readonly at: number;
  readonly node: Node;
}

/** The footnotes of a document, in its order. */
export interface DocumentFootnotes {
  readonly marks: readonly FootnoteMark[];
  readonly lists: readonly FootnoteList[];
  readonly notes: ReadonlyMap<string, Node>;
}

export const markPrefix = 'fnref-';
export const notePrefix = 'fn-';

/** The name of what an element of a footnote leads to, or is: that of its note. */
const nameIn = (text: unknown, prefix: string): string | undefined =>
  typeof text === 'string' && text.startsWith(prefix) ? text.slice(prefix.length) : undefined;

/** The name of the note that a mark leads to. */
export const noteOfMark = (node: Node): string => nameIn(node.attrs.attributes?.href, `#${notePrefix}`) ?? '';

/** The name of the note that the link back to a mark is in. */
export const noteOfBack = (node: Node): string => nameIn(node.attrs.attributes?.href, `#${markPrefix}`) ?? '';

/** The name of the note that an item of a list is; undefined: it is none. */
export const noteOfItem = (node: Node): string | undefined => nameIn(node.attrs.id, notePrefix);

export const isFootnoteList = (node: Node): boolean =>
  node.type.name === 'orderedList' &&
  String(node.attrs.class ?? '')
    .split(/\s+/)
    .includes('footnotes');

/** Undefined: there is no list of footnotes at the end of the text or between its blocks, and no mark is looked for. */
export function footnotesOf(document: Node): DocumentFootnotes | undefined {
  const lists: FootnoteList[] = [];
  document.forEach((node, at) => {
    if (isFootnoteList(node)) lists.push({ at, node });
  });
  if (lists.length === 0) return undefined;
  const notes = new Map<string, Node>();
  for (const { node } of lists) {
    for (const item of node.children) {
      const name = noteOfItem(item);
      if (name !== undefined) notes.set(name, item);
    }
  }
  return { marks: marksOf(document), lists, notes };
}

export function marksOf(document: Node): readonly FootnoteMark[] {
  const marks: FootnoteMark[] = [];
  document.descendants((node, at) => {
    if (node.type.name === 'footnoteMark') marks.push({ at, note: noteOfMark(node), node });
  });
  return marks;
}
