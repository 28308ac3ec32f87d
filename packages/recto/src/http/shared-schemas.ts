import Type, { type TSchema } from 'typebox';
import { idPattern } from '../definition/fields/id-field.ts';
import { bigintPattern, datetimePattern, decimalPattern, timePattern } from '../values/text-patterns.ts';

/** The schemas that the fields of all types share. Each is written once into the document. */

export const recordId = Type.String({
  $id: 'RecordId',
  format: 'uuid',
  pattern: idPattern,
  description: 'The identifier of a record: a UUIDv7 in lower case.',
});

/** `{id}` in a path. */
export const idParams = {
  id: Type.String({
    component: 'Id',
    format: 'uuid',
    pattern: idPattern,
    description: 'The identifier: a UUIDv7 in lower case.',
  }),
};

export const bigintText = Type.String({
  $id: 'BigintText',
  pattern: bigintPattern,
  description: 'A signed 64 bit integer. A string, because most readers of JSON round numbers over 2^53.',
});

export const decimalText = Type.String({
  $id: 'DecimalText',
  pattern: decimalPattern,
  description: 'An exact decimal number in plain notation.',
});

export const timeOfDay = Type.String({
  $id: 'TimeOfDay',
  pattern: timePattern,
  description: 'A time of day, without a zone.',
});

export const sentTime = Type.String({
  $id: 'SentTime',
  format: 'date-time',
  pattern: datetimePattern,
  description: 'An instant of RFC 3339, with any offset and without leap seconds.',
});

export const timeFilter: TSchema = Type.Unsafe<string>({
  $id: 'TimeFilter',
  anyOf: [sentTime, { type: 'string', format: 'date' }],
  description: 'An instant, or a date, which means its midnight in UTC.',
});

/** By their names. */
export const sharedSchemas: ReadonlyMap<string, TSchema> = new Map(
  [recordId, bigintText, decimalText, timeOfDay, sentTime, timeFilter].map((schema) => [schemaId(schema), schema]),
);

/** A reference to one of them: it can have a description of its own. */
export const referenceTo = (schema: TSchema): TSchema => Type.Unsafe({ $ref: schemaId(schema) });

function schemaId(schema: TSchema): string {
  const id = '$id' in schema ? schema.$id : undefined;
  if (typeof id !== 'string') throw new Error('A shared schema needs an $id.');
  return id;
}
