import type { Node } from '@tiptap/pm/model';
import type { Transaction } from '@tiptap/pm/state';

const pictures: ReadonlySet<string> = new Set(['image', 'figure']);

function picturesIn(document: Node, from: number, to: number): number {
  let count = 0;
  document.nodesBetween(from, to, ({ type }) => {
    if (pictures.has(type.name)) count += 1;
    // The picture of a figure is counted with it.
    return type.name !== 'figure';
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
