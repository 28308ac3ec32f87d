import Type, { type Static } from 'typebox';
import { invalid } from '../base/problem.ts';
import { CompiledSchema } from '../values/compiled-schema.ts';
import { mailAddress } from './mail-address.ts';

/** In characters: more is no mail that people read. */
const longestBody = 500_000;

const schema = Type.Object(
  {
    to: Type.String({ maxLength: 320 }),
    subject: Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }),
    text: Type.String({ maxLength: longestBody }),
    html: Type.Optional(Type.String({ maxLength: longestBody })),
  },
  { additionalProperties: false },
);

export type CheckedMessage = Static<typeof schema>;

let compiled: CompiledSchema | undefined;

/** A mail that somebody else has written, with an address that mail can be sent to. Throws 422. */
export function checkedMessage(given: unknown): CheckedMessage {
  compiled ??= CompiledSchema.of(schema);
  const faults = compiled.faults(given);
  if (faults.length > 0) throw invalid(faults);
  // The schema has accepted it.
  const message = given as CheckedMessage;
  const to = mailAddress(message.to);
  if (to === undefined) throw invalid([{ field: 'to', code: 'bad_format', message: 'This is not one email address.' }]);
  return { ...message, to: to.address };
}
