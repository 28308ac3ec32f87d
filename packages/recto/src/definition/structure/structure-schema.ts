import Type, { type TSchema } from 'typebox';
import { nullOr } from '../../values/null-or.ts';
import type { Field, MemberSchema, Part, Structure } from '../field-type.ts';
import { idPattern } from '../fields/id-field.ts';
import { mustBeSent } from '../must-be-sent.ts';
import { blockMember } from './structure-items.ts';

const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

const blockId = (): TSchema =>
  Type.String({ format: 'uuid', pattern: idPattern, description: 'Made where none is sent, and kept.' });

/** A stored value as a view shows it. A member may be null unless it is the item itself. */
export function shownStructure(structure: Structure, member: MemberSchema = plainMember): TSchema {
  return valueSchema(structure, (part) => {
    if (part.item !== null) return member(part.item) ?? Type.Null();
    const shown = part.fields.flatMap((field) => {
      const schema = member(field);
      return schema === undefined ? [] : [[field.name, described(field, nullOr(schema))] as const];
    });
    const tag = structure.tagged ? { [blockMember]: Type.Literal(part.name ?? ''), id: blockId() } : {};
    return Type.Object({ ...tag, ...Object.fromEntries(shown) }, { additionalProperties: false });
  });
}

/** What may be sent for a value. */
export function sentStructure(structure: Structure): TSchema {
  return valueSchema(structure, (part) => {
    if (part.item !== null) return documented(part.item);
    const members = part.fields.map((field) => {
      const taken = described(field, field.required ? filled(documented(field)) : nullable(documented(field)));
      return [field.name, mustBeSent(field) ? taken : Type.Optional(taken)] as const;
    });
    const tag = structure.tagged ? { [blockMember]: Type.Literal(part.name ?? ''), id: Type.Optional(blockId()) } : {};
    return Type.Object({ ...tag, ...Object.fromEntries(members) }, { additionalProperties: false });
  });
}

function valueSchema(structure: Structure, partSchema: (part: Part) => TSchema): TSchema {
  const parts = structure.parts.map(partSchema);
  const [only] = parts;
  // An item names its block, which decides between the alternatives.
  const item =
    parts.length === 1 && only !== undefined
      ? only
      : Type.Unsafe({ oneOf: parts, discriminator: { propertyName: blockMember } });
  if (!structure.many) return item;
  const { minItems, maxItems } = structure;
  return Type.Array(item, { ...(minItems > 0 ? { minItems } : {}), maxItems });
}

const plainMember: MemberSchema = (field) => field.type.output(field);

const documented = (field: Field): TSchema => (field.type.documentedInput ?? field.type.input)(field);

const described = ({ description }: Field, schema: TSchema): TSchema =>
  description === undefined ? schema : { ...schema, description };

/** An empty text or list is as good as none where something is required. */
export function filled(input: TSchema): TSchema {
  if (!('type' in input)) return input;
  if (input.type === 'string') return { ...input, minLength: Math.max(1, keyword(input, 'minLength')) };
  if (input.type === 'array') return { ...input, minItems: Math.max(1, keyword(input, 'minItems')) };
  return input;
}

const keyword = (schema: TSchema, name: string): number => {
  const value: unknown = Reflect.get(schema, name);
  return typeof value === 'number' ? value : 0;
};
