import type { Editor } from '@tiptap/core';

/** Removes the line that the cursor is in, where nothing is written in it and the text has others. */
export function leaveLine({ state, view }: Editor): void {
  const { $from } = state.selection;
  if ($from.depth !== 1 || $from.parent.content.size > 0 || state.doc.childCount < 2) return;
  view.dispatch(state.tr.delete($from.before(1), $from.after(1)));
}
