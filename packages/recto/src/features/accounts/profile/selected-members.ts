import Type from 'typebox';
import { badRequest } from '../../../base/problem.ts';
import { shownName } from '../../../query/query-text.ts';
import { selectionOf } from '../../records/parameters/fields-parameter.ts';
import { userJson, userSchema } from '../account-schemas.ts';

/** `fields` of the routes of accounts: as they are read. */
export const sentFields = { fields: Type.Optional(Type.String()) };

/** The same for the document. */
export const accountFields = {
  fields: Type.Optional(selectionOf(Object.keys(userSchema.properties))),
};

/** An account as admins see it, reduced to what `fields` names; 400 for a name that accounts do not have. */
export function selectedUser(fields: unknown): (account: Parameters<typeof userJson>[0]) => object {
  if (typeof fields !== 'string' || fields === '') return userJson;
  const names = new Set(fields.split(',').map((name) => name.trim()));
  for (const name of names) {
    if (Object.hasOwn(userSchema.properties, name)) continue;
    throw badRequest('invalid_parameter', `"fields" names "${shownName(name)}", which is no field of user.`);
  }
  return (account) =>
    Object.fromEntries(Object.entries(userJson(account)).filter(([name]) => name === 'id' || names.has(name)));
}
