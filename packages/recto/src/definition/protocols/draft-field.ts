import Type from 'typebox';
import type { FieldType } from '../field-type.ts';
import { jsonField } from '../fields/json-field.ts';
import { protocolField } from './protocol-field.ts';

export const draftColumn = '__draft';

const values = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const draftSchema = Type.Object(
  {
    author: Type.Union([Type.String(), Type.Null()], { description: 'Who last changed the draft.' }),
    author_kind: Type.Union([Type.Unsafe<string>({ type: 'string', enum: ['account', 'api_token'] }), Type.Null()]),
    at: Type.String({ format: 'date-time', description: 'When it was last changed.' }),
    changes: values('The values that the record is to have, by field.'),
    base: values('The values that the record had of these fields when they were drafted.'),
  },
  { additionalProperties: false },
);

/** The next version of a published record, as far as it differs. */
const draftType: FieldType = {
  ...jsonField,
  input: () => draftSchema,
  output: () => draftSchema,
  unversioned: true,
};

export const draftField = protocolField(draftColumn, draftType, {
  required: false,
  private: true,
  description: 'The next version of the record, while it is not published.',
});
