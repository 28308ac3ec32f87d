import { integerField } from '../fields/integer-field.ts';
import { protocolField } from './protocol-field.ts';

export const positionColumn = 'position';

/** A record's place among the others. Records that were there before the protocol have none and come first. */
export const positionField = protocolField(positionColumn, integerField, {
  required: false,
  description: 'The place in the order that editors set; a new record comes last.',
});
