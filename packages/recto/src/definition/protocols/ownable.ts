import { callerId } from '../../base/caller.ts';
import { idField } from '../fields/id-field.ts';
import { defineProtocol } from '../protocol.ts';
import { protocolField } from './protocol-field.ts';

/** Who created a record and who last wrote it: the id in `@request.auth.id`, null for an anonymous caller. */
export const ownable = defineProtocol({
  name: 'ownable',
  fields: () => [
    protocolField('created_by', idField, {
      required: false,
      immutable: true,
      description: 'Who created the record; null for an anonymous caller.',
    }),
    protocolField('updated_by', idField, {
      required: false,
      description: 'Who last wrote it; null for an anonymous caller.',
    }),
  ],
  bookkeeping: ['updated_by'],
  scheduledEffects: { updated_by: 'null' },
  onCreate: ({ caller }) => ({ created_by: callerId(caller), updated_by: callerId(caller) }),
  onUpdate: ({ caller }) => ({ updated_by: callerId(caller) }),
});
