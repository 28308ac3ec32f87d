import { datetimeField } from '../fields/datetime-field.ts';
import { defineProtocol } from '../protocol.ts';
import { protocolField } from './protocol-field.ts';

/** A time from which public routes neither return nor change a record; null: never. Admins see and change it. */
export const expirable = defineProtocol({
  name: 'expirable',
  fields: () => [
    protocolField('expires_at', datetimeField, {
      writable: true,
      required: false,
      description: 'When public routes stop returning the record; null: never.',
    }),
  ],
  visible: () => ({ condition: 'expires_at = null || expires_at > @now', hiddenFrom: 'public' }),
});
