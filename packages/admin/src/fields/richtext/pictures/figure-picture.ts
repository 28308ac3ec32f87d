import type { Node } from '@tiptap/pm/model';

/** Marks a caption without words, which is not written. */
export const emptyCaption = 'data-empty-caption';

/** The attributes of a picture, or of the link around it, in the order in which they are written. */
export type PictureAttributes = Readonly<Record<string, string>>;

const attributesOf = (value: unknown): PictureAttributes =>
  // True because the rules of `figure.ts` put nothing else there.
  (value ?? {}) as PictureAttributes;

/** The picture that a node of a figure shows. */
export const pictureOf = (node: Node): PictureAttributes => attributesOf(node.attrs.picture);

/** The link around the picture that a node of a figure shows; undefined: none. */
export const linkOf = (node: Node): PictureAttributes | undefined =>
  node.attrs.link === null ? undefined : attributesOf(node.attrs.link);

/** The address of what a node shows, where it is a picture in a line or in a figure. */
export function sourceOf(node: Node): string | undefined {
  const src = node.type.name === 'image' ? node.attrs.src : node.type.name === 'figurePicture' && pictureOf(node).src;
  return typeof src === 'string' && src !== '' ? src : undefined;
}
