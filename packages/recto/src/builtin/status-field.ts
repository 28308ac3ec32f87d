import Type, { type TSchema } from 'typebox';
import { defineFieldType, type FieldType } from '../definition/field-type.ts';

/** A state, one of a few words: stored and told as they are written here, taken in any letter case. */
export function statusField(words: readonly string[]): FieldType {
  const told = words.join(', ');
  const find = (text: unknown): string | undefined =>
    typeof text === 'string' ? words.find((word) => word.toLowerCase() === text.toLowerCase()) : undefined;
  const schema: TSchema = Type.Unsafe<string>({ type: 'string', enum: [...words] });
  return defineFieldType({
    name: 'status',
    kind: 'text',
    longest: Math.max(...words.map((word) => word.length)),
    input: () => Type.String({ description: `One of ${told}, in any letter case.`, examples: [...words] }),
    documentedInput: () => ({ ...schema, description: 'Taken in any letter case.' }),
    output: () => schema,
    parse(value) {
      const word = find(value);
      if (word !== undefined) return { ok: true, value: word };
      return { ok: false, code: 'not_allowed', message: `Must be one of: ${told}.` };
    },
    filter: { wanted: `one of ${told}`, fromText: find },
  });
}
