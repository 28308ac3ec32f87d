import type { Editor, EditorEvents } from '@tiptap/core';
import type { FileValue } from '../../media/file-value.ts';
import type { Uploads } from '../../media/uploads.svelte.ts';

interface Place {
  readonly from: number;
  readonly to: number;
}

/** Puts pictures of the library into a text. */
export class PictureInsertion {
  readonly #editor: Editor;
  readonly #uploads: Uploads;
  readonly #askAlt: () => void;

  /** `askAlt` asks for the alternative text of the picture that is selected then. */
  constructor(editor: Editor, uploads: Uploads, askAlt: () => void) {
    this.#editor = editor;
    this.#uploads = uploads;
    this.#askAlt = askAlt;
  }

  /** Uploads pictures, one after the other. What is written meanwhile comes behind them, and keeps the focus. */
  async insertFiles(files: readonly File[], at: number): Promise<void> {
    const editor = this.#editor;
    let place = at;
    let isResting = true;
    const follow = ({ transaction }: EditorEvents['transaction']): void => {
      place = transaction.mapping.map(place, -1);
      if (transaction.docChanged || transaction.selectionSet) isResting = false;
    };
    editor.on('transaction', follow);
    try {
      for (const file of files) {
        const added = await this.#uploads.add(file);
        const asks = isResting && files.length === 1 && editor.isFocused;
        if (added === undefined) continue;
        place += this.insert(added, { from: place, to: place }, asks);
      }
    } finally {
      editor.off('transaction', follow);
    }
  }

  /** `asks`: for the alternative text, where the library has none. Returns the size of what was inserted. */
  insert(file: FileValue, place: Place, asks: boolean): number {
    const editor = this.#editor;
    const src = file.variants?.preview ?? file.url;
    // An upload may end later than the editor.
    if (src === null || editor.isDestroyed) return 0;
    const { alt, width, height } = file;
    const content = { type: 'image', attrs: { src, alt: alt ?? '', width, height } };
    const size = editor.state.doc.content.size - (place.to - place.from);
    editor.commands.insertContentAt(place, content, { updateSelection: asks });
    const inserted = editor.state.doc.content.size - size;
    if (!asks) return inserted;
    const at = editor.state.selection.from - 1;
    if (alt !== null || editor.state.doc.nodeAt(at)?.type.name !== 'image') {
      editor.commands.focus();
      return inserted;
    }
    editor.commands.setNodeSelection(at);
    this.#askAlt();
    return inserted;
  }
}
