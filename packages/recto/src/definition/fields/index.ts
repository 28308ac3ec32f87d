import { byName } from '../by-name.ts';
import { bigintField } from './bigint-field.ts';
import { blocksField } from './blocks-field.ts';
import { booleanField } from './boolean-field.ts';
import { dateField } from './date-field.ts';
import { datetimeField } from './datetime-field.ts';
import { decimalField } from './decimal-field.ts';
import { emailField } from './email-field.ts';
import { enumField } from './enum-field.ts';
import { floatField } from './float-field.ts';
import { groupField } from './group-field.ts';
import { integerField } from './integer-field.ts';
import { jsonField } from './json-field.ts';
import { listField } from './list-field.ts';
import { mediaField } from './media-field.ts';
import { passwordField } from './password-field.ts';
import { relationField } from './relation-field.ts';
import { richtextField } from './richtext-field.ts';
import { textField } from './text-field.ts';
import { timeField } from './time-field.ts';
import { uidField } from './uid-field.ts';

/** Every type that a definition's `field_type` can name. */
export const fieldTypes = byName(
  textField,
  richtextField,
  integerField,
  bigintField,
  decimalField,
  floatField,
  booleanField,
  dateField,
  datetimeField,
  timeField,
  emailField,
  passwordField,
  enumField,
  uidField,
  jsonField,
  mediaField,
  relationField,
  groupField,
  listField,
  blocksField,
);

export type FieldTypeName = keyof typeof fieldTypes;

export const fieldTypeNames: readonly FieldTypeName[] = Object.values(fieldTypes).map(({ name }) => name);
