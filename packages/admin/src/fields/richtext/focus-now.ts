import { Extension, resolveFocusPosition } from '@tiptap/core';

/** Gives the focus to the text at once. TipTap's command of this name waits for a frame, and what is typed within it is lost. */
export const FocusNow = Extension.create({
  name: 'focusNow',
  addCommands: () => ({
    focus:
      (position = null) =>
      ({ tr, view, dispatch }) => {
        if (dispatch === undefined || position === false) return true;
        if (position === null && view.hasFocus()) return true;
        const selection = resolveFocusPosition(tr.doc, position);
        if (selection !== null && !selection.eq(tr.selection)) tr.setSelection(selection);
        tr.scrollIntoView();
        view.focus();
        return true;
      },
  }),
});
