import type { Node } from '@tiptap/pm/model';
import type { FileValue } from '../../media/file-value.ts';
import { unguardedHtml } from '../html/guarded-html.ts';
import { inertHtml } from '../html/inert-html.ts';

/** The HTML of an element that is kept as it is, where it may hold a picture, such as `picture` and `aside`. */
export function keptHtml({ type, attrs }: Node): string | undefined {
  const html = String(attrs.html);
  return type.name === 'opaque' && /<img\b/i.test(html) ? html : undefined;
}

/** The pictures in such an element. */
export const keptPictures = (html: string): readonly HTMLImageElement[] => [
  ...inertHtml(html).querySelectorAll<HTMLImageElement>('img[src]'),
];

/** The element with files of the library in the place of the pictures with these sources. Other sizes of them go. */
export function withFetched(html: string, files: ReadonlyMap<string, FileValue>): string {
  const body = inertHtml(html);
  for (const picture of body.querySelectorAll('img[src]')) {
    const file = files.get(picture.getAttribute('src') ?? '');
    const src = file?.variants?.preview ?? file?.url ?? undefined;
    if (src === undefined) continue;
    picture.setAttribute('src', src);
    for (const name of ['srcset', 'sizes']) picture.removeAttribute(name);
    for (const other of picture.closest('picture')?.querySelectorAll('source') ?? []) other.remove();
  }
  return unguardedHtml(body.innerHTML);
}
