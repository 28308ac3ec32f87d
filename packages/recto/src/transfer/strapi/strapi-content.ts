import type { Table } from '../../values/json-table.ts';
import type { ChosenOptions, ForeignAccount, ForeignAccounts, ForeignContent, LeftOut } from '../importers/importer.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { hasMembers, rightsIn } from './strapi-access.ts';
import type { StrapiSource } from './strapi-archive.ts';
import { timeOf, userType } from './strapi-fields.ts';
import { openUpload } from './strapi-files.ts';
import { type StrapiDocument, type StrapiTables, settingOf, tableOf, textOf } from './strapi-tables.ts';
import { strapiTypes } from './strapi-types.ts';

const optionNames = ['addresses', 'members'];

/** What an export holds, in words of this service. */
export function strapiContent(source: StrapiSource, chosen: ChosenOptions): ForeignContent {
  const { tables } = source;
  const unknown = Object.keys(chosen).find((name) => !optionNames.includes(name));
  if (unknown !== undefined)
    throw new TransferRefused(`There is no option ${unknown}. There are: ${optionNames.join(', ')}.`);
  const languages = languagesOf(tables);
  const addresses = oneOf('addresses', chosen.addresses, ['confirmed', 'unconfirmed']) ?? 'unconfirmed';
  const accounts = accountsOf(tables, addresses === 'confirmed');
  const rights = rightsIn(tables, oneOf('members', chosen.members, ['yes', 'no']));
  return {
    source: sourceName(tables),
    types: strapiTypes({ tables, languages, rights }),
    accounts: accounts.total === 0 ? [] : [accounts],
    ...(languages.length === 0 ? {} : { languages }),
    leftOut: leftOutOf(tables),
    options: {
      ...(accounts.total === 0 ? {} : { addresses: { value: addresses, about: aboutAddresses } }),
      ...(hasMembers(rights)
        ? { members: { value: rights.notForMembers === undefined ? 'yes' : 'no', about: aboutMembers } }
        : {}),
    },
    open: (file) => openUpload(source, file),
  };
}

const aboutAddresses =
  'Strapi calls everybody confirmed unless it was set to send mails for it: an account here with the same address is not taken for theirs. Write "confirmed" where you know that all who are called so have confirmed their address.';
const aboutMembers =
  'Whether what the role Authenticated may do is for members: yes, or no. Here everybody who registers is one, and so is every imported user. After a change, plan again with --set members=yes.';

/** What was chosen, which must be one of some words. */
function oneOf<Word extends string>(name: string, chosen: string | undefined, words: readonly Word[]) {
  const found = words.find((word) => word === chosen);
  if (chosen !== undefined && found === undefined)
    throw new TransferRefused(`The option ${name}: write ${words.join(' or ')}.`);
  return found;
}

const localeType = 'plugin::i18n.locale';

/** The default one first. */
function languagesOf(tables: StrapiTables): readonly string[] {
  const codes = [...tables.documents(localeType)].flatMap(({ document }) =>
    tables.rows(localeType, document).map(({ data }) => textOf(data.code)),
  );
  const main = textOf(tables.settings.get('plugin_i18n_default_locale'));
  return [...new Set([...(codes.includes(main) ? [main] : []), ...codes])].filter((code) => code !== '');
}

/** Made of the types that were there first: they stay when others are added. */
function sourceName(tables: StrapiTables): string {
  const types = [...tables.schemas.keys()].filter((uid) => uid.startsWith('api::')).sort();
  const first = types.flatMap((uid) => tables.documents(uid).next().value?.document ?? []).slice(0, 3);
  return new Bun.CryptoHasher('sha256')
    .update(JSON.stringify([types.slice(0, 3), first]))
    .digest('hex')
    .slice(0, 12);
}

/** `areConfirmed`: whether who is called confirmed is known to have the address. */
const accountsOf = (tables: StrapiTables, areConfirmed: boolean): ForeignAccounts => ({
  ...{ from: 'users', file: `entities ${userType}`, total: tables.total(userType) },
  *each() {
    for (const { document, number } of tables.documents(userType)) {
      for (const { data } of tables.rows(userType, document).slice(0, 1))
        yield account({ document, number }, data, areConfirmed);
    }
  },
});

function account({ document, number }: StrapiDocument, data: Table, areConfirmed: boolean): ForeignAccount {
  const why = whyClosed(data);
  return {
    ...{ type: userType, id: document, line: number, verified: areConfirmed && data.confirmed === true },
    disabled: data.blocked === true,
    email: textOf(data.email) || null,
    username: textOf(data.username) || null,
    displayName: textOf(data.username),
    passwordHash: why === undefined ? textOf(data.password) || null : null,
    ...(why === undefined ? {} : { closedBecause: why }),
    createdAt: timeOf(data.createdAt),
  };
}

function whyClosed({ blocked, provider, password }: Table): string | undefined {
  if (blocked === true) return 'Strapi blocks them';
  if (textOf(password) !== '') return undefined;
  return textOf(provider) === 'local' ? 'the export has no hash of theirs' : 'they sign in by a provider';
}

/** What every user has. */
const userAttributes: ReadonlySet<string> = new Set([
  ...[
    'username',
    'email',
    'provider',
    'password',
    'resetPasswordToken',
    'confirmationToken',
    'confirmed',
    'blocked',
    'role',
  ],
  ...['createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations'],
]);

/** Why types that are not brought in are left out; of all others it is said that they are of a plugin. */
const reasons: Readonly<Record<string, string>> = {
  'plugin::upload.folder': 'Folders of the media library: files have none here.',
  'plugin::users-permissions.role':
    'Roles of users: all become members. What Public and Authenticated may do is in the types.',
  'plugin::content-releases.release': 'Releases: their changes are drafts of the records.',
  'plugin::review-workflows.workflow': 'Workflows: see transitions of statusable.',
  'admin::user': 'People of the admin: an import makes no admins. "recto user create EMAIL --role admin" does.',
  'admin::role': 'Roles of the admin: see docs/roles.md.',
  'admin::api-token': 'API tokens: make new ones.',
};
const silent =
  /^(?:api::|plugin::upload\.file|plugin::i18n\.|plugin::users-permissions\.(?:user|permission)|admin::(?:permission|session|transfer-token|api-token-permission|audit-log)|plugin::(?:content-releases\.release-action|review-workflows\.workflow-stage))/;

function leftOutOf(tables: StrapiTables): readonly LeftOut[] {
  const others = tables.counts().filter(({ type }) => !silent.test(type));
  const added = Object.keys(tableOf(tables.schemas.get(userType)?.attributes)).filter(
    (name) => !userAttributes.has(name),
  );
  const advanced = tables.settings.get('plugin_users-permissions_advanced');
  return [
    ...others.map(({ type, total }) => ({ place: type, why: `${reasons[type] ?? 'It is of a plugin.'} (${total})` })),
    ...added.map((name) => ({ place: `${userType}.${name}`, why: 'Accounts have no fields of their own.' })),
    ...(settingOf(advanced, 'allow_register') === false
      ? [
          {
            place: 'registration',
            why: 'Nobody may register in Strapi. Set RECTO_REGISTRATION=closed before the service starts: what is for accounts is for all of them.',
          },
        ]
      : []),
  ];
}
