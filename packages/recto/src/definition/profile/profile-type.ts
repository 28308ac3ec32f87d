import type { RuleScope } from '../../rules/rule-scope.ts';
import type { ContentType, ShownWith } from '../content-type.ts';
import type { Endpoint } from '../endpoint.ts';
import { idField } from '../fields/id-field.ts';
import { protocolField } from '../protocols/protocol-field.ts';
import { readableFields } from '../readable-fields.ts';
import { endpointViews } from '../rights/read-view.ts';
import { junctionOf, storedColumn, targetOf } from '../stored-field.ts';
import { TypeFacts } from '../type-facts.ts';
import { typeScope } from '../type-scope.ts';
import { profileFields } from './profile-fields.ts';
import { profileSingular } from './profile-names.ts';

export { profileSingular };

/** The table of accounts, which `auth/` declares. */
export const accountsTable = 'recto_accounts';

const identifier = Object.freeze(
  protocolField('id', idField, { origin: 'engine', unique: true, immutable: true, description: 'The account’s id.' }),
);

const fields = Object.freeze([identifier, ...Object.values(profileFields)]);
const field = new Map(fields.map((one) => [one.name, one]));

/** What rules can read of an account through a relation. */
export const profileScope: RuleScope = typeScope(
  { singular: profileSingular, table: accountsTable, field, partitioned: false, showsPrivate: false },
  // Profiles have no relations.
  { tableOf: () => '', partitioned: () => false, scopeOf: () => profileScope },
);

const closed: Endpoint = { access: 'none', filter: null, filterAuth: null, cache: false, fields: null };
const readable: Endpoint = { ...closed, access: 'public', cache: true };

/**
 * The public profiles of accounts as records that others are related to. This is the one place that says what of an account
 * anyone sees: no email address, role or state. It is found by name and is not among the types of the service, because
 * accounts have routes, storage and transfer of their own.
 *
 * `all` are the service's types: whoever sees something that an account has written, or a record that names it, sees its profile.
 */
export function profileType(all: readonly ContentType[]): ContentType {
  const authored = all.flatMap(leadingTo);
  return Object.freeze({
    name: 'Profile',
    singular: profileSingular,
    plural: 'users',
    description: 'What an account says of itself to everyone.',
    kind: 'collection',
    restful: true,
    table: accountsTable,
    fields,
    field,
    protocols: [],
    conditions: [],
    endpoints: { list: closed, get: readable, create: closed, update: closed, delete: closed },
    scope: profileScope,
    facts: new TypeFacts({ fields, protocols: [] }),
    partition: null,
    visible: [],
    shownWith: Object.freeze({ flag: 'profile_public', tenant: 'tenant_id', records: Object.freeze(authored) }),
    builtIn: true,
    ownRoutes: true,
    stored: false,
    source: 'profile (built in)',
    component: 'PublicProfile',
    definition: {},
  });
}

/** The fields of a type whose public readers see which accounts they name. */
const leadingTo = (type: ContentType): ShownWith['records'] =>
  readableFields(type, endpointViews.get).flatMap((field): ShownWith['records'] => {
    if ((targetOf(field) ?? field.includedAs?.target) !== profileSingular) return [];
    const [column, junction] = [storedColumn(field), junctionOf(field)];
    if (column !== undefined) return [{ type, column }];
    return junction === undefined ? [] : [{ type, junction }];
  });

/** What definitions and messages call the target of a relation. */
export const targetName = (singular: string): string => (singular === profileSingular ? 'users' : singular);
