import { Extension } from '@tiptap/core';
import type { Node, ResolvedPos } from '@tiptap/pm/model';
import { type EditorState, NodeSelection, Selection, type Transaction } from '@tiptap/pm/state';

/** A block, or an item of a list, beside others. */
interface Place {
  readonly at: number;
  readonly node: Node;
  readonly parent: Node;
  readonly index: number;
}

const placeAt = ($from: ResolvedPos, depth: number): Place => ({
  at: $from.before(depth),
  node: $from.node(depth),
  parent: $from.node(depth - 1),
  index: $from.index(depth - 1),
});

/** The blocks around the cursor that have others beside them: an item of a list, and a block of the text. */
function placesOf({ selection }: EditorState): readonly Place[] {
  const { $from } = selection;
  if (selection instanceof NodeSelection && $from.depth === 0) {
    return [{ at: selection.from, node: selection.node, parent: $from.parent, index: $from.index() }];
  }
  const depths = Array.from({ length: $from.depth }, (_, index) => $from.depth - index);
  return depths
    .filter((depth) => depth === 1 || $from.node(depth).type.name === 'listItem')
    .map((depth) => placeAt($from, depth));
}

/** Changes places with the block before (-1) or behind (1). The cursor stays in it. Undefined: there is none. */
export function movedBlock(state: EditorState, by: -1 | 1): Transaction | undefined {
  const { selection } = state;
  for (const { at, node, parent, index } of placesOf(state)) {
    const other = parent.maybeChild(index + by);
    if (other === null || other === undefined) continue;
    const to = by < 0 ? at - other.nodeSize : at + other.nodeSize;
    const tr = state.tr.delete(at, at + node.nodeSize).insert(to, node);
    const moved =
      selection instanceof NodeSelection && selection.from === at
        ? NodeSelection.create(tr.doc, to)
        : Selection.near(tr.doc.resolve(selection.head - at + to));
    return tr.setSelection(moved).scrollIntoView();
  }
  return undefined;
}

/** `Alt` with an arrow key moves the block, or the item of a list, that the cursor is in. */
export const MoveBlock = Extension.create({
  name: 'moveBlock',
  addKeyboardShortcuts() {
    const move = (by: -1 | 1) => (): boolean => {
      const { view } = this.editor;
      const tr = view.editable ? movedBlock(view.state, by) : undefined;
      if (tr !== undefined) view.dispatch(tr);
      return true;
    };
    return { 'Alt-ArrowUp': move(-1), 'Alt-ArrowDown': move(1) };
  },
});
