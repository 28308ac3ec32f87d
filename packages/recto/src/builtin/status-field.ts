import Type, { type TSchema } from 'typebox';
import { defineFieldType, type FieldType } from '../definition/field-type.ts';
import { wordDomain } from '../rules/value-domain.ts';

/** A state, one of a few words: stored and returned as written here, accepted in any letter case. */
export function statusField(words: readonly string[]): FieldType {
  const listed = words.join(', ');
  const domain = wordDomain(words, true);
  const schema: TSchema = Type.Unsafe<string>({ type: 'string', enum: [...words] });
  return defineFieldType({
    name: 'status',
    kind: 'text',
    longest: Math.max(...words.map((word) => word.length)),
    input: () => Type.String({ description: `One of ${listed}, in any letter case.`, examples: [...words] }),
    documentedInput: () => ({ ...schema, description: 'Taken in any letter case.' }),
    output: () => schema,
    parse(value) {
      const word = typeof value === 'string' ? domain.find(value) : undefined;
      if (word !== undefined) return { ok: true, value: word };
      return { ok: false, code: 'not_allowed', message: `Must be one of: ${listed}.` };
    },
    domain: () => domain,
  });
}
