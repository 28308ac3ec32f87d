import { datetimeField } from '../fields/datetime-field.ts';
import { defineProtocol } from '../protocol.ts';
import { protocolField } from './protocol-field.ts';

/** When a record was made and last written. */
export const timestampable = defineProtocol({
  name: 'timestampable',
  fields: () => [
    protocolField('created_at', datetimeField, { description: 'When the record was made.' }),
    protocolField('updated_at', datetimeField, { description: 'When the record was last written.' }),
  ],
  bookkeeping: ['updated_at'],
  scheduledEffects: { updated_at: 'time' },
  onCreate: ({ now }) => ({ created_at: now, updated_at: now }),
  onUpdate: ({ now }) => ({ updated_at: now }),
});
