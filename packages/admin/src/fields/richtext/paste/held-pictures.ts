import type { Editor } from '@tiptap/core';
import type { FileValue } from '../../media/file-value.ts';
import { pictureOf, sourceOf } from '../pictures/figure-picture.ts';

/** Pictures that were pasted with their bytes. The text shows them at once, and keeps them when the library has them. */
export class HeldPictures {
  #held = new Map<string, File>();

  /** Takes the bytes out of pasted HTML. */
  take(body: Element): void {
    for (const picture of body.querySelectorAll('img[src^="data:" i]')) {
      const file = fileOf(picture.getAttribute('src') ?? '', this.#held.size + 1);
      if (file === undefined) {
        picture.remove();
        continue;
      }
      const address = URL.createObjectURL(file);
      this.#held.set(address, file);
      picture.setAttribute('src', address);
    }
  }

  /** Uploads them, and puts the address of each in its place. One that cannot be uploaded goes. */
  async settle(editor: Editor, upload: (file: File) => Promise<FileValue | undefined>): Promise<void> {
    const held = this.#held;
    this.#held = new Map();
    for (const [address, file] of held) {
      const added = await upload(file);
      if (!editor.isDestroyed) place(editor, address, added);
      URL.revokeObjectURL(address);
    }
  }
}

function fileOf(address: string, number: number): File | undefined {
  const [, type = '', bytes = ''] = /^data:(image\/[a-z]+);base64,([\w+/=\s]+)$/i.exec(address) ?? [];
  try {
    const content = Uint8Array.from(atob(bytes.replace(/\s+/g, '')), (character) => character.charCodeAt(0));
    if (content.length === 0) return undefined;
    return new File([content], `picture-${number}.${type.slice('image/'.length).toLowerCase()}`, { type });
  } catch {
    return undefined;
  }
}

function place(editor: Editor, address: string, file: FileValue | undefined): void {
  const src = file?.variants?.preview ?? file?.url ?? undefined;
  const { tr, doc } = editor.state;
  const places: number[] = [];
  doc.descendants((node, at) => {
    if (sourceOf(node) === address) places.push(at);
  });
  for (const at of places.toReversed()) {
    const node = doc.nodeAt(at);
    if (node?.type.name === 'figurePicture') tr.setNodeAttribute(at, 'picture', { ...pictureOf(node), src: src ?? '' });
    else if (src === undefined) tr.delete(at, at + 1);
    else tr.setNodeAttribute(at, 'src', src);
  }
  if (places.length > 0) editor.view.dispatch(tr.setMeta('addToHistory', false));
}
