import Type from 'typebox';
import type { GivenFactor } from '../../../auth/factors/given-factor.ts';
import type { SentAssertion } from '../../../auth/factors/relying-party.ts';
import { type FieldFault, invalid } from '../../../base/problem.ts';
import { assertionSchema } from './webauthn-schemas.ts';

/** The members of a body that give a second factor. */
export const factorMembers = {
  code: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'With `totp`, the six digits of the app; with `recovery_code`, one of those. Spaces are ignored.',
    }),
  ),
  response: Type.Optional(assertionSchema),
};

export const factorMethod = Type.Enum(['passkey', 'totp', 'recovery_code'], {
  description: '`passkey` takes `response`, the others take `code`.',
});

/** The factor that a body gives. Throws 422 where the method and the other members do not go together. */
export function givenFactor({
  method,
  code,
  response,
}: {
  readonly method: GivenFactor['method'];
  readonly code?: string;
  readonly response?: SentAssertion;
}): GivenFactor {
  if (method === 'passkey') {
    if (response === undefined) throw invalid([required('response')]);
    if (code !== undefined) throw invalid([notAllowed('code', method)]);
    return { method, response };
  }
  if (code === undefined) throw invalid([required('code')]);
  if (response !== undefined) throw invalid([notAllowed('response', method)]);
  return { method, code };
}

const required = (field: string): FieldFault => ({ field, code: 'required', message: 'This field is required.' });

const notAllowed = (field: string, method: string): FieldFault => ({
  field,
  code: 'not_allowed',
  message: `This field does not go with ${method}.`,
});
