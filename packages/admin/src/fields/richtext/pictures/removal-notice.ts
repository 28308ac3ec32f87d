import type { Editor } from '@tiptap/core';
import type { Transaction } from '@tiptap/pm/state';
import { t } from '../../../text/text.ts';
import { dismissAbout, toast } from '../../../ui/toasts.svelte.ts';
import { removedPictures } from './removed-pictures.ts';

/** Returns what looks at each transaction: it says that pictures were removed, and offers to take that back. `id`: that of the field. */
export function removalNotice(id: string): (editor: Editor, transaction: Transaction) => void {
  const about = `removed-pictures ${id}`;
  let isShown = false;
  return (editor, transaction) => {
    if (!transaction.docChanged) return;
    if (isShown) {
      // An older step is what would be taken back from now on.
      isShown = false;
      dismissAbout(about);
    }
    const isOwn = transaction.getMeta('addToHistory') !== false && transaction.getMeta('history$') === undefined;
    const count = isOwn ? removedPictures(transaction) : 0;
    if (count === 0) return;
    isShown = true;
    const run = (): void => {
      if (!editor.isDestroyed) editor.chain().focus().undo().run();
    };
    toast(t('fields.picturesRemoved', { count }), { about, action: { label: t('fields.undo'), run } });
  };
}
