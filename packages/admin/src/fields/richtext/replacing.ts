import type { Node } from '@tiptap/pm/model';
import type { EditorState, Transaction } from '@tiptap/pm/state';

/** What turns the document into another, of which only the part that differs is touched; and where that ends. */
export function replacing(state: EditorState, next: Node): { readonly tr: Transaction; readonly at: number } {
  const { doc } = state;
  const start = doc.content.findDiffStart(next.content);
  const end = doc.content.findDiffEnd(next.content);
  if (start === null || end === null) return { tr: state.tr, at: 0 };
  // What is the same at both ends may be the same twice, as the second "l" of "all".
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  const [from, to] = [end.a + overlap, end.b + overlap];
  const tr = state.tr;
  try {
    tr.replace(start, from, next.slice(start, to));
    if (tr.doc.eq(next)) return { tr, at: to };
  } catch {
    // Its ends are of different depths.
  }
  const whole = state.tr;
  return { tr: whole.replaceWith(0, doc.content.size, next.content), at: Math.min(to, next.content.size) };
}
