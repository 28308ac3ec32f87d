import type { Node } from '@tiptap/pm/model';
import { sourceOf } from './figure-picture.ts';

/** A picture of another site, which the page does not load. */
export interface FarPicture {
  /** As the text has it. */
  readonly source: string;
  /** From where it is fetched. */
  readonly address: string;
  readonly alt: string;
}

/** Where a picture of another site is; undefined: it is shown. */
export function farAddress(source: string): string | undefined {
  const url = URL.parse(source, location.href);
  if (url === null || url.origin === location.origin) return undefined;
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** Blocks that did not change are not looked through again. */
const known = new WeakMap<Node, readonly FarPicture[]>();

function within(node: Node): readonly FarPicture[] {
  const before = known.get(node);
  if (before !== undefined) return before;
  const found: FarPicture[] = [];
  const look = (one: Node): void => {
    const source = sourceOf(one);
    const address = source === undefined ? undefined : farAddress(source);
    if (source !== undefined && address !== undefined) found.push({ source, address, alt: altOf(one) });
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
  return all.length === 0 ? none : [...new Map(all.toReversed().map((one) => [one.source, one])).values()].toReversed();
}
