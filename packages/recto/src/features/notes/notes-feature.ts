import { NoteStore } from '../../notes/note-store.ts';
import { noteTable } from '../../notes/note-table.ts';
import type { Notes } from '../../notes/notes.ts';
import { accounts } from '../accounts/accounts-feature.ts';
import { defineFeature } from '../feature.ts';
import { noteOperations, notesOfType } from './note-operations.ts';

/** What people write beside records, for those alone who read them. */
export const notes = defineFeature({
  name: 'notes',
  tables: [noteTable],
  async create({ database, now, use }) {
    const { auth } = await use(accounts);
    const store = new NoteStore(database.dialect);
    return {
      operations: ({ records, types }) => {
        let loaded: Promise<Notes> | undefined;
        const load = () =>
          import('../../notes/notes.ts').then(
            (code) => new code.Notes({ records, store, accounts: auth.accounts, now }),
          );
        const parts = {
          records,
          notes: () => {
            loaded ??= load();
            return loaded;
          },
        };
        return [...types.all.flatMap((type) => notesOfType(type, parts)), ...noteOperations(parts)];
      },
    };
  },
});
