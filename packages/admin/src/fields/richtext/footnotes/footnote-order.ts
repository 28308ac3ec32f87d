import { Fragment, type Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, type Transaction } from '@tiptap/pm/state';
import { type DocumentFootnotes, footnotesOf, markPrefix, marksOf, noteOfItem } from './footnotes-of.ts';

/**
 * Keeps footnotes in the order of their marks. A note goes with its mark and comes back with it, as when a paragraph is moved by cutting and
 * pasting; a mark goes with its note. What was so before a change, such as a note without a mark, stays.
 */
export function footnoteOrder(): Plugin {
  /** Notes whose marks were removed. */
  const removed = new Map<string, Node>();
  return new Plugin({
    appendTransaction(transactions, before, after) {
      // Texts from elsewhere are shown as they are.
      const isOwn = transactions.some((one) => one.docChanged && one.getMeta('preventUpdate') !== true);
      if (!isOwn) return null;
      const were = footnotesOf(before.doc);
      const footnotes = footnotesOf(after.doc);
      if (were === undefined && footnotes === undefined && removed.size === 0) return null;
      const tr = ordered(after, were, footnotes ?? { marks: marksOf(after.doc), lists: [], notes: new Map() }, removed);
      return tr.docChanged ? tr : null;
    },
  });
}

type Before = DocumentFootnotes | undefined;

function ordered(
  { tr, schema }: EditorState,
  before: Before,
  footnotes: DocumentFootnotes,
  removed: Map<string, Node>,
): Transaction {
  const found = markedNotes(before, footnotes, removed);
  const items = [...found.values(), ...otherItems(before, footnotes, found, removed)];
  for (const note of found.keys()) removed.delete(note);
  const { lists } = footnotes;
  const isInOrder =
    lists.length <= 1 &&
    items.length === (lists[0]?.node.childCount ?? 0) &&
    items.every((item, at) => lists[0]?.node.child(at) === item);
  if (!isInOrder) writeList(tr, items, lists, () => schema.nodes.orderedList?.create({ class: 'footnotes' }, items));
  numberMarks(tr, before, footnotes, [...found.keys()]);
  return tr;
}

/** The notes of the marks, in the order of the text. */
function markedNotes(
  before: Before,
  { marks, notes }: DocumentFootnotes,
  removed: ReadonlyMap<string, Node>,
): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  for (const { note } of marks) {
    // Somebody has removed the note, and not its mark.
    const isRemoved = before?.notes.has(note) === true;
    const item = notes.get(note) ?? (isRemoved ? undefined : removed.get(note));
    if (item !== undefined) found.set(note, item);
  }
  return found;
}

/** The items of the lists that no mark leads to, but for those whose mark was removed. */
function otherItems(
  before: Before,
  { lists }: DocumentFootnotes,
  found: ReadonlyMap<string, Node>,
  removed: Map<string, Node>,
): readonly Node[] {
  const wasMarked = new Set(before?.marks.map(({ note }) => note));
  return lists
    .flatMap(({ node }) => node.children)
    .filter((item) => {
      const name = noteOfItem(item);
      if (name === undefined) return true;
      if (found.get(name) === item) return false;
      const goes = wasMarked.has(name) && !found.has(name);
      if (goes) removed.set(name, item);
      return !goes;
    });
}

/** From the end, so that the places before stay what they are. */
function writeList(
  tr: Transaction,
  items: readonly Node[],
  [first, ...others]: DocumentFootnotes['lists'],
  create: () => Node | undefined,
): void {
  for (const { at, node } of others.toReversed()) tr.delete(at, at + node.nodeSize);
  if (first === undefined) {
    const list = items.length === 0 ? undefined : create();
    if (list !== undefined) tr.insert(tr.doc.content.size, list);
  } else if (items.length === 0) tr.delete(first.at, first.at + first.node.nodeSize);
  else tr.replaceWith(first.at + 1, first.at + first.node.nodeSize - 1, Fragment.from(items));
}

function numberMarks(tr: Transaction, before: Before, { marks }: DocumentFootnotes, notes: readonly string[]): void {
  const numbers = new Map(notes.map((note, index) => [note, String(index + 1)]));
  const named = new Set<string>();
  for (const { at, note, node } of marks) {
    const number = numbers.get(note);
    const place = tr.mapping.map(at);
    // Its note was removed.
    if (number === undefined && before?.notes.has(note) === true) tr.delete(place, place + node.nodeSize);
    if (number === undefined) continue;
    if (node.attrs.number !== number) tr.setNodeAttribute(place, 'number', number);
    const attributes = namedAttributes(node, note, !named.has(note));
    if (attributes !== node.attrs.attributes) tr.setNodeAttribute(place, 'attributes', attributes);
    named.add(note);
  }
}

/** Of several marks of a note, the first has the name that the note leads back to. */
function namedAttributes(node: Node, note: string, isFirst: boolean): Node['attrs'] {
  const { id, ...rest } = node.attrs.attributes;
  if (isFirst) return id === undefined ? { id: `${markPrefix}${note}`, ...rest } : node.attrs.attributes;
  return id === undefined ? node.attrs.attributes : rest;
}
