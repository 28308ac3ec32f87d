import Type, { type TSchema } from 'typebox';
import { wordDomain } from '../../rules/value-domain.ts';
import { isStorableText } from '../../values/text-kind.ts';
import type { Field } from '../content-type.ts';
import { defineFieldType } from '../field-type.ts';
import { accepted, rejected } from './parsed-value.ts';

const schema = ({ options }: Field): TSchema =>
  Type.Unsafe<string>({ type: 'string', enum: [...(options.enum_values ?? [])] });

/** One of the texts that the definition names. */
export const enumField = defineFieldType({
  name: 'enum',
  localizable: true,
  kind: 'text',
  domain: ({ options }) => wordDomain(options.enum_values ?? []),
  options: ['enum_values'],
  checkOptions({ enum_values: values }) {
    if (values === undefined) return [{ option: 'enum_values', message: 'an enum needs the list of its values' }];
    if (values.length === 0) return [{ option: 'enum_values', message: 'must name one value or more' }];
    if (new Set(values).size < values.length) return [{ option: 'enum_values', message: 'names a value twice' }];
    return values.every((value) => value !== '' && isStorableText(value))
      ? []
      : [{ option: 'enum_values', message: 'holds a value that is empty or no storable text' }];
  },
  input: schema,
  output: schema,
  parse(value, { options }) {
    const values = options.enum_values ?? [];
    if (typeof value === 'string' && values.includes(value)) return accepted(value);
    return rejected('not_allowed', `Must be one of: ${values.join(', ')}.`);
  },
  slugSource: true,
});
