import { windowKeys } from '../../app/window-keys.ts';
import { seeRecord } from '../list/visits/visits.svelte.ts';
import type { EditorState } from './editor-state.svelte.ts';
import { NotesDesk } from './notes/notes-desk.svelte.ts';

/** What goes on beside a stored record, and is none of what its form needs: the notes on it, and that it was looked at. Returns what ends it. */
export function startBeside(editor: EditorState, id: string, formId: string): () => void {
  const { opened } = editor;
  const see = (): void => void seeRecord(opened.type.plural, { id, updated_at: editor.record.updated_at });
  // When it is left, it is as the person has left it.
  see();
  const desk = new NotesDesk(opened, id, formId);
  editor.notes = desk;
  // From a notification of a note.
  if (new URLSearchParams(location.search).has('note')) void desk.open();
  const stopDesk = desk.start();
  const stopKeys = windowKeys(desk.onkeydown, true);
  return () => {
    stopKeys();
    stopDesk();
    editor.notes = undefined;
    see();
  };
}
