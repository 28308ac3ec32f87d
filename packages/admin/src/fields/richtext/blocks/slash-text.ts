import type { EditorState } from '@tiptap/pm/state';

/** What was typed after a `/` at the beginning of a block. */
export interface SlashText {
  /** The place of the `/`. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const longest = 30;

/** The `/` that begins the block that the cursor is in; undefined: there is none, or more stands behind the cursor. */
export function slashText({ selection }: EditorState): SlashText | undefined {
  const { $from, empty } = selection;
  const { parent } = $from;
  if (!empty || !parent.isTextblock || parent.type.spec.code === true || parent.type.name === 'figcaption')
    return undefined;
  if (parent.content.size > longest || $from.parentOffset !== parent.content.size) return undefined;
  const text = parent.textContent;
  return text.startsWith('/') && text.length === parent.content.size
    ? { from: $from.start(), to: $from.pos, text: text.slice(1) }
    : undefined;
}
