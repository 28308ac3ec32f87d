import type { Node } from '@tiptap/pm/model';
import type { Transaction } from '@tiptap/pm/state';
import { sourceOf } from './figure-picture.ts';

function picturesIn(document: Node, from: number, to: number): number {
  let count = 0;
  document.nodesBetween(from, to, (node) => {
    if (sourceOf(node) !== undefined) count += 1;
    // An element that is kept as it is, such as a figure with a table, may have one too.
    else if (node.type.name === 'opaque' && /<img\b/i.test(String(node.attrs.html))) count += 1;
  });
  return count;
}

/** How many pictures a change takes out of a document. One that is moved stays. */
export function removedPictures({ steps, docs, doc }: Transaction): number {
  let removed = 0;
  for (const [at, step] of steps.entries()) {
    const before = docs[at];
    const after = docs[at + 1] ?? doc;
    step.getMap().forEach((oldStart, oldEnd, newStart, newEnd) => {
      if (before === undefined) return;
      if (oldEnd > oldStart) removed += picturesIn(before, oldStart, oldEnd);
      if (newEnd > newStart) removed -= picturesIn(after, newStart, newEnd);
    });
  }
  return Math.max(0, removed);
}
