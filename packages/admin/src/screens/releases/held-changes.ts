import type { Values } from '../../editing/editing-state.ts';
import type { EditorState } from '../editor/editor-state.svelte.ts';

/** What the form and the draft of an open record change of what everybody sees, of the fields that can wait. */
export function heldChanges({ opened: { editing }, record, fields }: EditorState): Values {
  editing.typing.settle();
  // As `draftOf` reads it. Importing that from here would divide what every form of a record loads.
  const drafted = Object.keys(Object(Object(record.__draft).changes));
  const held = [...new Set([...drafted, ...editing.dirty])].filter((name) => fields.get(name)?.writable === true);
  return Object.fromEntries(held.map((name) => [name, editing.values[name]]));
}
