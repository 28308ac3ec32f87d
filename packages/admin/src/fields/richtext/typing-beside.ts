import { type EditorState, NodeSelection, Selection, TextSelection, type Transaction } from '@tiptap/pm/state';

/**
 * Puts the cursor behind what is selected, where that is a picture or another element as a whole: what is typed or pasted stands beside it,
 * and does not replace it. Undefined: no element is selected.
 */
export function behindElement({ selection, tr, schema }: EditorState): Transaction | undefined {
  if (!(selection instanceof NodeSelection)) return undefined;
  if (selection.node.isInline) return tr.setSelection(TextSelection.create(tr.doc, selection.to));
  // Beside a picture of a figure there is no place but its caption.
  if (selection.node.type.name === 'figurePicture')
    return tr.setSelection(TextSelection.create(tr.doc, selection.$from.end() - 1));
  const next = tr.doc.resolve(selection.to).nodeAfter;
  const paragraph = schema.nodes.paragraph;
  // Behind a figure that ends a text, or stands before another, there is no place to write yet.
  if (next?.isTextblock !== true && paragraph !== undefined) tr.insert(selection.to, paragraph.create());
  return tr.setSelection(Selection.near(tr.doc.resolve(selection.to + 1)));
}
