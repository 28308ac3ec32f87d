import Type from 'typebox';
import { conflict, invalid } from '../../base/problem.ts';
import { integerField } from '../fields/integer-field.ts';
import { defineProtocol } from '../protocol.ts';
import { protocolField } from './protocol-field.ts';

const column = 'lock_version';

const sentVersion = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The version that the update is based on: 409 when it is not current.',
});

/**
 * Optimistic locking (service specification, section 7): an update that names a version which is no longer current is a
 * conflict. With the option `required`, an update must name one.
 */
export const lockable = defineProtocol({
  name: 'lockable',
  options: Type.Object({ required: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
  fields: () => [
    protocolField(column, integerField, {
      description: 'Counts up with each update; send it back to update only this version.',
    }),
  ],
  bookkeeping: [column],
  scheduledEffects: { [column]: 'next' },
  onCreate: () => ({ [column]: 1 }),
  onUpdate: (_moment, current) => ({ [column]: Number(current[column]) + 1 }),
  updateInput: ({ required }) => ({ [column]: required === true ? sentVersion : Type.Optional(sentVersion) }),
  beforeUpdate({ payload }, current, options) {
    const sent = Object.hasOwn(payload, column) ? payload[column] : undefined;
    if (sent === undefined) {
      if (options.required !== true) return;
      throw invalid([{ field: column, code: 'required', message: 'An update must name the version it is based on.' }]);
    }
    if (typeof sent !== 'number' || !Number.isSafeInteger(sent)) {
      throw invalid([{ field: column, code: 'wrong_type', message: 'Must be an integer.' }]);
    }
    if (sent === current[column]) return;
    // Without the current one, which the caller may not be allowed to read.
    throw conflict('lock_version_mismatch', `The record has changed: ${sent} is not its current ${column}.`);
  },
});
