import type { Field } from '../../../definition/content-type.ts';
import type { Structure } from '../../../definition/field-type.ts';
import { targetOf } from '../../../definition/stored-field.ts';
import { draftsOf } from '../../../records/drafts/draft.ts';
import type { Tool } from '../tool.ts';
import { argumentsOf, textOf, typeArgument } from './arguments.ts';
import { knownType } from './known-type.ts';
import { fitting } from './size-limit.ts';

/** The fields of a type that the caller reads or writes. */
export const describeType: Tool = {
  name: 'describe_type',
  title: 'Describe a content type',
  description: 'The fields of a type: their types, limits and which of them you may write.',
  inputSchema: argumentsOf({ type: typeArgument }),
  from: 'read',
  annotations: { readOnlyHint: true },
  async run(given, call) {
    const { type, may } = knownType(textOf(given, 'type'), call);
    const described = type.fields
      .filter(({ name }) => may.read.includes(name))
      .map((field) => fieldOf(field, may.write.includes(field.name)));
    const { items: fields, truncated } = fitting(described);
    return {
      type: type.singular,
      name: type.name,
      ...(type.description === undefined ? {} : { description: type.description }),
      drafts: draftsOf(type) !== undefined,
      fields,
      ...(truncated ? { truncated } : {}),
    };
  },
};

function fieldOf(field: Field, writable: boolean): Readonly<Record<string, unknown>> {
  const { name, type, label, required, unique, options, structure } = field;
  const target = targetOf(field);
  return {
    name,
    type: type.name,
    ...(label === undefined ? {} : { label }),
    ...(required ? { required } : {}),
    ...(unique ? { unique } : {}),
    ...(writable ? { writable } : {}),
    ...(Object.keys(options).length > 0 ? { options } : {}),
    ...(target === undefined ? {} : { target }),
    ...(structure === undefined ? {} : { inside: insideOf(structure) }),
  };
}

/** What a value is made of. Private members are left out: whether a token reads them is for the records to decide. */
const insideOf = ({ many, parts }: Structure): Readonly<Record<string, unknown>> => ({
  many,
  parts: parts.map(({ name, fields, item }) => ({
    ...(name === null ? {} : { block: name }),
    ...(item === null
      ? { fields: fields.filter((each) => !each.private).map((each) => fieldOf(each, false)) }
      : { item: fieldOf(item, false) }),
  })),
});
