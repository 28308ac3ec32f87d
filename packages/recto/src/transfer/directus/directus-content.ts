import type { Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type {
  ChosenOptions,
  ForeignAccount,
  ForeignAccounts,
  ForeignContent,
  LeftOut,
  NewType,
} from '../importers/importer.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { DirectusFiles } from './directus-files.ts';
import { innerCollections, type Mapped, type MappedCollection, mapCollection, typeNames } from './directus-mapping.ts';
import { closedStatus, recordsOf, usersType } from './directus-records.ts';
import { isBoundToAddresses, PublicApi, publicPermissions } from './directus-rights.ts';
import { rolesOf } from './directus-roles.ts';
import { inverseOf, tablesOf, textOf } from './directus-schema.ts';
import type { DirectusSource } from './directus-source.ts';
import { idIn } from './directus-value.ts';

/** What a project holds, in words of this service. */
export function directusContent(source: DirectusSource, chosen: ChosenOptions): ForeignContent {
  const unknown = Object.keys(chosen).find((name) => name !== 'accounts' && name !== 'language');
  if (unknown !== undefined) throw new TransferRefused(`There is no option ${unknown}. There are: accounts, language.`);
  const { schema, users } = source;
  const inner = innerCollections(source);
  const own = [...schema.collections.values()].filter(({ name }) => !inner.has(name));
  const hasAccounts = users.length > 0 && (chosen.accounts ?? 'users') === 'users';
  const parts = { source, hasAccounts, names: typeNames(own) };
  const byName = new Map(own.map((collection) => [collection.name, mapCollection(collection, parts)]));
  const languages = languagesOf(source, chosen.language);
  const open = publicPermissions(source);
  const files = new DirectusFiles(source, open.of('directus_files', 'read'));
  const api = new PublicApi(source, open, byName);
  return {
    source: sourceName(source),
    types: [...byName.values()].map((mapping) => typeOf(mapping, api, source, languages[0], files)),
    accounts: hasAccounts ? [accountsOf(users)] : [],
    roles: rolesOf(source, byName),
    ...(languages.length === 0 ? {} : { languages }),
    leftOut: leftOutOf(source, hasAccounts),
    options: {
      ...(languages.length < 2
        ? {}
        : {
            language: {
              value: languages[0] ?? '',
              about: `The language of what stands in a record itself, beside its translations: ${languages.join(', ')}. After a change, plan again with --set language=NAME.`,
            },
          }),
      ...(users.length === 0
        ? {}
        : {
            accounts: {
              value: hasAccounts ? 'users' : 'none',
              about:
                'Whether users become accounts, without passwords and as members: users, or none. After a change, plan again with --set accounts=none.',
            },
          }),
    },
    open: (file) => files.open(file),
  };
}

/** The languages that translations name, and those of the collection that has them. */
function languageCodes({ schema, evidence }: DirectusSource): ReadonlySet<string> {
  const translations = [...schema.collections.values()].flatMap(({ name, fields }) =>
    fields.map((field) => inverseOf(schema, name, field)).filter((inverse) => inverse?.kind === 'translations'),
  );
  return new Set(
    translations.flatMap(({ collection, language }) => {
      const related = schema.relations.find(
        (each) => each.collection === collection && each.field === language,
      )?.related;
      const said = evidence.get(collection)?.languages(language) ?? [];
      return [...(evidence.get(related ?? '')?.keys ?? []), ...said];
    }),
  );
}

/** The languages, that of the records themselves first. */
function languagesOf(source: DirectusSource, chosen: string | undefined): readonly string[] {
  const codes = languageCodes(source);
  if (codes.size === 0) return [];
  if (chosen !== undefined && !codes.has(chosen))
    throw new TransferRefused(`The option language: there is no language “${chosen}”.`);
  const usual = textOf(source.settings.default_language);
  const main = chosen ?? (usual !== undefined && codes.has(usual) ? usual : [...codes][0]);
  return [...codes].toSorted((one, other) => Number(other === main) - Number(one === main));
}

function typeOf(
  mapping: MappedCollection,
  publicApi: PublicApi,
  source: DirectusSource,
  main: string | undefined,
  files: DirectusFiles,
): NewType {
  const { collection, names, mapped, leftOut } = mapping;
  const { api, hidden, leftOut: closed } = publicApi.of(mapping);
  const title = titleOf(mapping);
  const definition = {
    ...{ name: collection.name, ...names, protocols: protocolsOf(mapping, api) },
    ...(collection.isSingle ? { kind: 'single' } : {}),
    ...(collection.note === undefined ? {} : { description: collection.note }),
    fields: mapped.flatMap((each) => withPrivate(each, hidden) ?? []),
    api,
    ...(title === undefined ? {} : { admin: { title_field: title } }),
  };
  return {
    ...{ from: collection.name, file: `content/${collection.name}.json`, definition },
    total: source.evidence.get(collection.name)?.total ?? 0,
    fields: mapped.map(({ from, to }) => ({ from, to })),
    leftOut: [...leftOut, ...closed],
    records: () => recordsOf(mapping, { source, main, fileOf: (id) => files.find(id) }),
  };
}

/** The definition of a field, which is private where it, or what is inside, is hidden from the public. */
function withPrivate({ definition, from, source }: Mapped, hidden: ReadonlySet<string>): Table | undefined {
  if (definition === undefined || hidden.has(from)) return definition && { ...definition, private: true };
  if (source.kind !== 'blocks') return definition;
  const inside = source.extra.filter((each) => hidden.has(`${from}.${each.from}`)).map(({ to }) => to);
  const fieldsOf = (kind: Table): JsonValue =>
    tablesOf(kind.fields).map((field) => (inside.includes(String(field.name)) ? { ...field, private: true } : field));
  if (inside.length === 0) return definition;
  return { ...definition, blocks: tablesOf(definition.blocks).map((kind) => ({ ...kind, fields: fieldsOf(kind) })) };
}

function protocolsOf({ collection, mapped, status }: MappedCollection, api: Table): readonly (string | Table)[] {
  const hasTimes = mapped.some(({ to, definition }) => definition === undefined && to.endsWith('_at'));
  const sorted = mapped.find(({ from }) => from === collection.sortField);
  const shown = Object(api.list).fields;
  const isSorted =
    sorted?.definition?.field_type === 'integer' &&
    !collection.isSingle &&
    (shown === undefined || shown.includes(sorted.to));
  const usual = status?.field.default;
  const isUsual = typeof usual === 'string' && status?.values.includes(usual) === true && usual !== 'published';
  return [
    ...(hasTimes ? ['timestampable'] : []),
    { name: 'metaable', private: true },
    ...(status === undefined
      ? []
      : [
          {
            ...{ name: 'statusable', values: [...status.values], schedule: 'published' },
            default: isUsual ? usual : (closedStatus(status.values) ?? 'published'),
            ...(status.byLanguage ? { by_language: true } : {}),
          },
        ]),
    ...(isSorted ? [{ name: 'sortable', field: sorted.to }] : []),
  ];
}

/** The field that names a record: the first text that Directus presents, or one that is called so. */
function titleOf({ collection, mapped }: MappedCollection): string | undefined {
  const texts = mapped.filter(({ definition }) => definition?.field_type === 'text');
  const shown = [...collection.template.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name]) => name);
  const found =
    texts.find(({ from }) => shown.includes(from)) ??
    texts.find(({ from }) => /^(?:title|name|headline|label)$/.test(from));
  return found?.to;
}

const accountsOf = (users: readonly Table[]): ForeignAccounts => ({
  ...{ from: 'users', file: 'users.json', total: users.length },
  *each() {
    for (const [index, user] of users.entries()) {
      const names = [textOf(user.first_name), textOf(user.last_name)].filter((name) => name !== undefined);
      yield {
        ...{ type: usersType, id: idIn(user.id) ?? '', line: index + 1, verified: false, username: null },
        ...{ email: textOf(user.email) ?? null, displayName: names.join(' ') },
        ...{ passwordHash: null, ...closedBy(textOf(user.status)) },
      };
    }
  },
});

/** Why somebody cannot sign in, and whether a new password must not change that. */
const closedBy = (status: string | undefined): Pick<ForeignAccount, 'closedBecause' | 'disabled'> =>
  status === 'suspended' || status === 'archived'
    ? { closedBecause: `they are ${status} in Directus`, disabled: true }
    : { closedBecause: 'Directus exports no passwords' };

function leftOutOf({ roles, policies, users }: DirectusSource, hasAccounts: boolean): readonly LeftOut[] {
  const admins = policies.filter(({ admin_access: admin }) => admin === true).length;
  const bound = [...policies.map((each) => ['policy', each] as const), ...roles.map((each) => ['role', each] as const)];
  return [
    ...bound
      .filter(([, each]) => isBoundToAddresses(each))
      .map(([kind, { name, id }]) => ({
        place: `${kind} ${textOf(name) ?? String(id)}`,
        why: 'It holds from some network addresses alone, which no rule says: its permissions are left out.',
      })),
    ...(users.length > 0 && !hasAccounts ? [{ place: 'users', why: 'They were not chosen to become accounts.' }] : []),
    ...(users.length > 0 && hasAccounts
      ? [
          {
            place: 'users',
            why: 'An import makes no admins, and gives nobody a role: all users become members. Their tokens are not in the export.',
          },
        ]
      : []),
    ...(admins > 0 && roles.length > 0
      ? [{ place: 'roles', why: 'Those that may do everything: "recto user create EMAIL --role admin" makes admins.' }]
      : []),
    { place: 'files', why: 'Those that no record names stay where they are, and so do folders.' },
    {
      place: 'flows, operations, panels, dashboards, presets',
      why: 'They are about Directus itself. Webhooks, hooks and views take their place.',
    },
  ];
}

/** Made of the collections: the same each time. */
function sourceName({ schema }: DirectusSource): string {
  const names = JSON.stringify([...schema.collections.keys()].toSorted().slice(0, 3));
  return new Bun.CryptoHasher('sha256').update(names).digest('hex').slice(0, 12);
}
