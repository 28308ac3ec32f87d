import type { Node } from '@tiptap/pm/model';
import { sourceOf } from './figure-picture.ts';
import { keptHtml, keptPictures } from './kept-pictures.ts';
import { distinctPictures, type FarPicture, farAddress } from './picture-text.ts';

/** Blocks that did not change are not looked through again. */
const known = new WeakMap<Node, readonly FarPicture[]>();

function within(node: Node): readonly FarPicture[] {
  const before = known.get(node);
  if (before !== undefined) return before;
  const found: FarPicture[] = [];
  const add = (source: string, alt: string): void => {
    const address = farAddress(source);
    if (address !== undefined) found.push({ source, address, alt });
  };
  const look = (one: Node): void => {
    const source = sourceOf(one);
    if (source !== undefined) add(source, altOf(one));
    const html = keptHtml(one);
    if (html !== undefined)
      for (const picture of keptPictures(html)) add(picture.getAttribute('src') ?? '', picture.alt);
  };
  look(node);
  node.descendants(look);
  known.set(node, found);
  return found;
}

function altOf({ attrs }: Node): string {
  const alt: unknown = attrs.alt ?? attrs.picture?.alt;
  return typeof alt === 'string' ? alt : '';
}

const none: readonly FarPicture[] = [];

/** The pictures of other sites in a text, each once, in the order of the text. */
export function farPictures(document: Node): readonly FarPicture[] {
  const all = document.children.flatMap(within);
  return all.length === 0 ? none : distinctPictures(all);
}
