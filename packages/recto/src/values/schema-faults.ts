import type { TValidationError } from 'typebox/error';
import type { FieldFault } from '../base/problem.ts';
import { childPath, fieldPath } from './field-path.ts';
import { withoutUnions } from './schema-unions.ts';

/** The codes of schema validation errors. Stable: programs branch on them. */
export type SchemaFaultCode =
  | 'required'
  | 'unknown_field'
  | 'wrong_type'
  | 'too_long'
  | 'too_short'
  | 'too_small'
  | 'too_large'
  | 'bad_format'
  | 'not_allowed'
  | 'too_many_items'
  | 'too_few_items'
  | 'invalid';

interface SchemaFault extends FieldFault {
  readonly code: SchemaFaultCode;
}

/** The validator's errors about `value` in the form that callers get: one for each field, in the order of the schema. */
export function schemaFaults(errors: readonly TValidationError[], value: unknown): readonly SchemaFault[] {
  const faults = new Map<string, SchemaFault>();
  for (const error of withoutUnions(errors)) {
    const field = fieldPath(error.instancePath, value);
    for (const fault of faultsOf(error, field)) {
      if (!faults.has(fault.field)) faults.set(fault.field, fault);
    }
  }
  return [...faults.values()];
}

function faultsOf(error: TValidationError, field: string): readonly SchemaFault[] {
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => ({
      field: childPath(field, name),
      code: 'required',
      message: 'This field is required.',
    }));
  }
  // Each name has an error of its own: `boolean` for an unknown name, others for an invalid value.
  if (error.keyword === 'additionalProperties') return [];
  const [code, message] = judgement(error);
  return [{ field, code, message }];
}

function judgement(error: TValidationError): readonly [code: SchemaFaultCode, message: string] {
  switch (error.keyword) {
    case 'boolean':
      return ['unknown_field', 'There is no such field.'];
    case 'type':
      return ['wrong_type', `Must be ${typeNames(error.params.type)}.`];
    case 'maxLength':
      return ['too_long', `Must have at most ${count(error.params.limit, 'character')}.`];
    case 'minLength':
      return error.params.limit === 1
        ? ['too_short', 'Must not be empty.']
        : ['too_short', `Must have at least ${count(error.params.limit, 'character')}.`];
    case 'minimum':
      return ['too_small', `Must be ${error.params.limit} or more.`];
    case 'exclusiveMinimum':
      return ['too_small', `Must be more than ${error.params.limit}.`];
    case 'maximum':
      return ['too_large', `Must be ${error.params.limit} or less.`];
    case 'exclusiveMaximum':
      return ['too_large', `Must be less than ${error.params.limit}.`];
    case 'maxItems':
      return ['too_many_items', `Must have at most ${count(error.params.limit, 'item')}.`];
    case 'minItems':
      return ['too_few_items', `Must have at least ${count(error.params.limit, 'item')}.`];
    case 'format':
      return ['bad_format', `Must be ${formatNames[error.params.format] ?? `of the format ${error.params.format}`}.`];
    case 'pattern':
      return ['bad_format', `Must match the pattern ${patternText(error.params.pattern)}.`];
    case 'const':
      return ['not_allowed', `Must be ${wordFor(error.params.allowedValue)}.`];
    case 'enum':
      return ['not_allowed', `Must be one of: ${error.params.allowedValues.map(wordFor).join(', ')}.`];
    case 'uniqueItems':
      return ['invalid', 'Must not hold the same item twice.'];
    case 'multipleOf':
      return ['invalid', `Must be a multiple of ${error.params.multipleOf}.`];
    default:
      return ['invalid', 'Is not valid.'];
  }
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const patternText = (pattern: string | RegExp): string => (typeof pattern === 'string' ? pattern : pattern.source);

const wordFor = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function typeNames(type: string | readonly string[]): string {
  return (typeof type === 'string' ? [type] : type).map((name) => names[name] ?? name).join(' or ');
}

const names: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

const formatNames: Readonly<Record<string, string>> = {
  email: 'an e-mail address',
  uuid: 'a UUID',
  date: 'a date such as 2026-11-21',
  'date-time': 'a date and time such as 2026-11-21T10:00:00Z',
  time: 'a time such as 10:00:00',
  uri: 'a URI',
  url: 'a URL',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
};
