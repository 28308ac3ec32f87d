import { callerId } from '../../base/caller.ts';
import { datetimeField } from '../fields/datetime-field.ts';
import { idField } from '../fields/id-field.ts';
import { defineProtocol } from '../protocol.ts';
import { protocolField } from './protocol-field.ts';

const parameter = 'deleted';

/** The records that are marked, for what is done to them alone. */
const deleted = { [parameter]: 'only' };

/**
 * A delete marks the record instead of removing it. No read returns it any more, except to admins who ask for it; they bring
 * it back or remove it for good. What it holds stays stored: references to it, and unique values, which are still taken.
 */
export const softDeletable = defineProtocol({
  name: 'soft_deletable',
  kind: 'collection',
  fields: () => [
    protocolField('deleted_at', datetimeField, {
      required: false,
      description: 'When it was deleted; null for a record that is not.',
    }),
    protocolField('deleted_by', idField, {
      required: false,
      description: 'Who deleted it; null for an anonymous caller.',
    }),
  ],
  visible: () => ({
    condition: 'deleted_at = null',
    hiddenFrom: 'everyone',
    parameter: {
      name: parameter,
      description: 'Deleted records alone (`only`), or together with the others (`with`).',
      choices: { only: 'deleted_at != null', with: null },
    },
  }),
  onDelete: ({ caller, now }) => ({ deleted_at: now, deleted_by: callerId(caller) }),
  actions: () => [
    {
      name: 'restore',
      method: 'POST',
      summary: 'Bring a deleted record back',
      among: deleted,
      effect: () => ({ deleted_at: null, deleted_by: null }),
    },
    {
      name: 'purge',
      method: 'DELETE',
      summary: 'Remove a deleted record for good',
      among: deleted,
      effect: 'remove',
    },
  ],
});
