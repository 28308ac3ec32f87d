import { datetimeField } from '../fields/datetime-field.ts';
import { relationField } from '../fields/relation-field.ts';
import { profileSingular } from '../profile/profile-names.ts';
import { defineProtocol } from '../protocol.ts';
import { protocolField } from './protocol-field.ts';

const assignee = 'assignee';
const due = 'due_at';

/** What the fields have in common: they are for those who work on records, and no public route returns them. */
const ofEditors = { writable: true, required: false, private: true, writers: ['admin', 'editor'] } as const;

/**
 * Who works on a record, and by when. An assignee is an account that can get the record on the admin routes, which is checked
 * when it is assigned, in the transaction that does it.
 */
export const assignable = defineProtocol({
  name: 'assignable',
  fields: () => [
    protocolField(assignee, relationField, {
      ...ofEditors,
      place: { shape: 'to_one', column: assignee, target: profileSingular },
      indexed: true,
      description: 'The account that the record is assigned to; null: none.',
    }),
    protocolField(due, datetimeField, {
      ...ofEditors,
      indexed: true,
      description: 'When the work on the record is due; null: at no time.',
    }),
  ],
  assignee,
  organizing: [assignee, due],
});
