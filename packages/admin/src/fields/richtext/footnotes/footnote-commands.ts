import type { Editor } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';
import { randomId } from '../paste/random-id.ts';
import { footnotesOf, markPrefix, noteOfItem, notePrefix } from './footnotes-of.ts';

/** The name of the note that the cursor is in; undefined: it is in none. */
export function currentNote({ state: { selection } }: Editor): string | undefined {
  const { $from } = selection;
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const name = noteOfItem($from.node(depth));
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Puts the mark of a new footnote behind the selection, its note at the end of the text, and the cursor into the note. */
export function insertFootnote(editor: Editor): void {
  const { tr, schema, doc, selection } = editor.state;
  const { footnoteMark, footnoteBack, listItem, paragraph, orderedList } = schema.nodes;
  const { parent } = selection.$to;
  const isWritten = parent.isTextblock && parent.type.spec.code !== true;
  if (!isWritten || !footnoteMark || !footnoteBack || !listItem || !paragraph || !orderedList) return;
  const id = randomId();
  const back = footnoteBack.create({ attributes: { href: `#${markPrefix}${id}` } });
  const note = listItem.create({ id: `${notePrefix}${id}` }, paragraph.create(null, [schema.text(' '), back]));
  const list = footnotesOf(doc)?.lists.at(-1);
  if (list === undefined) tr.insert(doc.content.size, orderedList.create({ class: 'footnotes' }, note));
  else tr.insert(list.at + list.node.nodeSize - 1, note);
  const attributes = { id: `${markPrefix}${id}`, href: `#${notePrefix}${id}` };
  tr.insert(selection.to, footnoteMark.create({ attributes, number: '1' }));
  editor.view.dispatch(tr);
  goToNote(editor, id);
}

/** Puts the cursor at the end of a note's words. Returns whether there is one. */
export function goToNote(editor: Editor, name: string): boolean {
  const { doc } = editor.state;
  let place: number | undefined;
  doc.descendants((node, at) => {
    if (place === undefined && noteOfItem(node) === name) place = endOfWords(node, at);
    return place === undefined;
  });
  if (place === undefined) return false;
  go(editor, place);
  return true;
}

/** Before the link back, and the space before it. */
function endOfWords(item: Node, at: number): number {
  let end = at + item.nodeSize - 2;
  item.descendants((node, within, parent, index) => {
    if (node.type.name !== 'footnoteBack' || parent === null) return;
    const before = index > 0 ? parent.child(index - 1).text : undefined;
    end = at + 1 + within - (before?.endsWith(' ') ? 1 : 0);
  });
  return end;
}

/** Puts the cursor behind the first mark of a note. Returns whether there is one. */
export function goToMark(editor: Editor, name: string): boolean {
  const mark = footnotesOf(editor.state.doc)?.marks.find(({ note }) => note === name);
  if (mark === undefined) return false;
  go(editor, mark.at + mark.node.nodeSize);
  return true;
}

function go(editor: Editor, place: number): void {
  const { tr } = editor.state;
  editor.view.dispatch(tr.setSelection(TextSelection.create(tr.doc, place)).scrollIntoView());
  editor.view.focus();
}

/** Inserts a footnote, or goes from a note back to the text. */
export function footnoteKey(editor: Editor): boolean {
  const note = currentNote(editor);
  if (note === undefined) insertFootnote(editor);
  else goToMark(editor, note);
  return true;
}
