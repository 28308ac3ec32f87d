import { callerId } from '../../base/caller.ts';
import { idField } from '../fields/id-field.ts';
import { defineProtocol } from '../protocol.ts';
import { protocolField } from './protocol-field.ts';

/** Who made a record and who last wrote it: the id that `@request.auth.id` tells, null for a visitor. */
export const ownable = defineProtocol({
  name: 'ownable',
  fields: () => [
    protocolField('created_by', idField, { required: false, description: 'Who made the record; null for a visitor.' }),
    protocolField('updated_by', idField, { required: false, description: 'Who last wrote it; null for a visitor.' }),
  ],
  bookkeeping: ['updated_by'],
  onCreate: ({ caller }) => ({ created_by: callerId(caller), updated_by: callerId(caller) }),
  onUpdate: ({ caller }) => ({ updated_by: callerId(caller) }),
});
