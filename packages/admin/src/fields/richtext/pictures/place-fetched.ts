import type { Transaction } from '@tiptap/pm/state';
import type { FileValue } from '../../media/file-value.ts';
import { pictureOf, sourceOf } from './figure-picture.ts';
import { keptHtml, withFetched } from './kept-pictures.ts';

/** Puts files of the library in the place of the pictures with these sources. Everything else about the pictures stays. */
export function placeFetched(tr: Transaction, files: ReadonlyMap<string, FileValue>): void {
  const { doc } = tr;
  doc.descendants((node, at) => {
    const html = keptHtml(node);
    const changed = html === undefined ? undefined : withFetched(html, files);
    if (changed !== html) tr.setNodeAttribute(at, 'html', changed);
    const file = files.get(sourceOf(node) ?? '');
    const src = file?.variants?.preview ?? file?.url ?? undefined;
    if (file === undefined || src === undefined) return;
    if (node.type.name === 'figurePicture') {
      // Other sizes are of the other site too.
      const { srcset: _, sizes: __, ...picture } = pictureOf(node);
      const alt = picture.alt || (file.alt ?? '');
      tr.setNodeAttribute(at, 'picture', { ...sizeOf(picture, file), ...picture, src, alt });
      return;
    }
    const { attrs } = node;
    const changes = { ...sizeOf(attrs, file), src, alt: attrs.alt || (file.alt ?? ''), srcset: null, sizes: null };
    tr.setNodeMarkup(at, null, { ...attrs, ...changes }, node.marks);
  });
}

/** The size of a picture that had none. */
function sizeOf(
  { width, height }: Readonly<Record<string, unknown>>,
  file: FileValue,
): { readonly width?: string; readonly height?: string } {
  const isUnknown = !width && !height && file.width !== null && file.height !== null;
  return isUnknown ? { width: String(file.width), height: String(file.height) } : {};
}
