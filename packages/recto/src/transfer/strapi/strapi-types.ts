import type { Table } from '../../values/json-table.ts';
import { Names, ownName, singularOf } from '../importers/foreign-names.ts';
import { ByLanguage, type ForeignValue } from '../importers/foreign-value.ts';
import type { ForeignRecord, LeftOut, NewType } from '../importers/importer.ts';
import { accessOf, publishedAlone, type Rights } from './strapi-access.ts';
import {
  type FieldParts,
  namesIn,
  type Owner,
  type PlannedFields,
  plannedFields,
  type StrapiField,
  timeOf,
} from './strapi-fields.ts';
import { type StrapiDocument, type StrapiRow, type StrapiTables, tableOf, textOf } from './strapi-tables.ts';

/** What the content types are made with. */
export interface TypesParts {
  readonly tables: StrapiTables;
  /** The languages, the default one first; empty: the installation has none. */
  readonly languages: readonly string[];
  readonly rights: Rights;
}

interface Mapped {
  readonly uid: string;
  readonly schema: Table;
  readonly singular: string;
  readonly plural: string;
  readonly names: ReadonlyMap<string, string>;
  readonly hasDrafts: boolean;
  readonly isLocalized: boolean;
}

const statusName = '(status)';

/** The content types of people: those of `api::`. */
export function strapiTypes(parts: TypesParts): readonly NewType[] {
  const mapped = mappedTypes(parts);
  const byUid = new Map(mapped.map((each) => [each.uid, each]));
  const fieldParts: FieldParts = {
    tables: parts.tables,
    plural: (uid) => byUid.get(uid)?.plural,
    nameOf: (uid, attribute) => byUid.get(uid)?.names.get(attribute),
  };
  return mapped.map((each) => typeOf(each, plannedFields(each.schema, each.names, fieldParts), parts));
}

function mappedTypes({ tables, languages }: TypesParts): readonly Mapped[] {
  const names = new Names(['user', 'users']);
  return [...tables.schemas].flatMap(([uid, schema]): readonly Mapped[] => {
    if (!uid.startsWith('api::')) return [];
    const info = tableOf(schema.info);
    const singular = ownName(textOf(info.singularName) || textOf(schema.modelName), 'record');
    const plural = ownName(textOf(info.pluralName) || `${singular}s`, 'records');
    const i18n = tableOf(tableOf(schema.pluginOptions).i18n);
    const hasDrafts = tableOf(schema.options).draftAndPublish === true;
    return [
      {
        ...{ uid, schema, hasDrafts, isLocalized: i18n.localized === true && languages.length > 0 },
        ...{
          plural: names.take(plural, '_records'),
          singular: names.take(singular === plural ? singularOf(plural) : singular, '_item'),
        },
        names: namesIn(schema, hasDrafts ? ['status', 'scheduled_at'] : []),
      },
    ];
  });
}

function typeOf(mapped: Mapped, planned: PlannedFields, parts: TypesParts): NewType {
  const { uid, schema, singular, plural, hasDrafts, isLocalized } = mapped;
  const isSingle = schema.kind === 'singleType';
  const localized = new Set(
    planned.fields.filter((field) => isLocalized && isByLanguage(schema, field)).map(({ from }) => from),
  );
  const access = accessOf(uid, isSingle, parts.rights);
  const info = tableOf(schema.info);
  const description = textOf(info.description);
  const title = planned.fields.find(
    ({ from, definition }) => /^(?:title|name|label)$/.test(from) && definition.field_type === 'text',
  );
  const byLanguage = localized.size > 0 ? { by_language: true } : {};
  return {
    ...{ from: uid, file: `entities ${uid}`, total: parts.tables.total(uid) },
    definition: {
      ...{ name: textOf(info.displayName) || singular, singular, plural },
      ...(description === '' ? {} : { description }),
      ...(isSingle ? { kind: 'single' } : {}),
      protocols: [
        'timestampable',
        { name: 'metaable', private: true },
        ...(hasDrafts
          ? [
              { name: 'statusable', values: ['draft', 'published'], schedule: 'published', ...byLanguage },
              { name: 'versionable', drafts: true },
            ]
          : []),
      ],
      fields: planned.fields.map(({ from, definition }) =>
        localized.has(from) ? { ...definition, localized: true } : definition,
      ),
      api: hasDrafts ? publishedAlone(access.api) : access.api,
      ...(title === undefined || isSingle ? {} : { admin: { title_field: title.to } }),
    },
    fields: [
      ...planned.fields.filter(({ definition }) => !isInverse(definition)).map(({ from, to }) => ({ from, to })),
      ...['created_at', 'updated_at'].map((to) => ({ from: `(${to})`, to })),
      ...(hasDrafts ? [{ from: statusName, to: 'status' }] : []),
    ],
    leftOut: [...leftOutOf(uid, planned), ...access.leftOut],
    *records() {
      for (const document of parts.tables.documents(uid))
        yield recordOf(document, mapped, planned, { ...parts, localized });
    },
  };
}

const isInverse = ({ relation }: Table): boolean => tableOf(relation).relation_type === 'one_to_many';

/** Whether an attribute has a value for each language. */
function isByLanguage({ attributes }: Table, { from }: StrapiField): boolean {
  const options = tableOf(tableOf(tableOf(attributes)[from]).pluginOptions);
  return tableOf(options.i18n).localized === true;
}

function leftOutOf(uid: string, { fields, leftOut }: PlannedFields): readonly LeftOut[] {
  return [
    ...leftOut.map(([attribute, why]) => ({ place: `${uid}.${attribute}`, why })),
    ...fields.flatMap(({ from, lost }) => lost.map((each) => ({ place: `${uid}.${from}`, why: `Left out: ${each}.` }))),
  ];
}

/** What a document says in a language. */
interface Version {
  readonly published: StrapiRow | undefined;
  readonly draft: StrapiRow | undefined;
  /** What is published, or else the draft. */
  readonly live: StrapiRow;
}

function versionsOf(rows: readonly StrapiRow[], hasDrafts: boolean): ReadonlyMap<string, Version> {
  const versions = new Map<string, Version>();
  for (const row of rows) {
    const { published, draft } = versions.get(row.locale) ?? {};
    const isLive = !hasDrafts || row.isPublished;
    const next = { published: isLive ? (published ?? row) : published, draft: isLive ? draft : (draft ?? row) };
    versions.set(row.locale, { ...next, live: next.published ?? next.draft ?? row });
  }
  return versions;
}

function recordOf(
  { document, number }: StrapiDocument,
  { uid, hasDrafts, isLocalized }: Mapped,
  { fields }: PlannedFields,
  { tables, languages, localized }: TypesParts & { readonly localized: ReadonlySet<string> },
): ForeignRecord {
  const versions = versionsOf(tables.rows(uid, document), hasDrafts);
  const main = mainOf(versions, languages);
  const shared = localized.size === 0 ? main.version : sharedOf(versions, main.version);
  const remarks = new Set<string>();
  if (!isLocalized && versions.size > 1) remarks.add('in several languages, of a type that has none now: one is kept');
  const read = (field: StrapiField, rowOf: (version: Version) => StrapiRow): ForeignValue => {
    const from = (version: Version, locale: string): ForeignValue =>
      field.read(ownerOf(uid, rowOf(version), `${uid}/${document}/${locale}`, remarks));
    if (!localized.has(field.from)) return from(shared, '');
    return new ByLanguage(new Map([...versions].map(([locale, version]) => [locale, from(version, locale)])));
  };
  const written = fields.filter(({ definition }) => !isInverse(definition));
  const createdAt = timeOf(shared.live.data.createdAt);
  const drafts = [...versions.values()].filter(
    ({ published, draft }) => published !== undefined && draft !== undefined,
  );
  const at = drafts
    .map(({ draft }) => timeOf(draft?.data.updatedAt) ?? '')
    .sort()
    .at(-1);
  const values = {
    ...Object.fromEntries(written.map((field) => [field.from, read(field, ({ live }) => live)])),
    ...times(createdAt, timeOf(shared.live.data.updatedAt)),
    ...(hasDrafts ? { [statusName]: statusOf(versions, main.version, localized) } : {}),
  };
  const next = Object.fromEntries(
    drafts.length === 0 ? [] : written.map((field) => [field.from, read(field, ({ draft, live }) => draft ?? live)]),
  );
  const publishedAt = timeOf(shared.published?.data.publishedAt);
  return {
    ...{ id: document, line: number, createdAt, values, remarks: [...remarks] },
    ...(drafts.length === 0 ? {} : { draft: { values: next, ...(at === '' ? {} : { at }) } }),
    meta: hasDrafts && publishedAt !== undefined ? { published_at: publishedAt } : {},
  };
}

function ownerOf(type: string, { id, data }: StrapiRow, key: string, remarks: Set<string>): Owner {
  return { type, id, data, key, remark: (text) => remarks.add(text) };
}

/** What a document says in the default language, or in the first that it has. */
function mainOf(versions: ReadonlyMap<string, Version>, languages: readonly string[]) {
  const [first] = versions;
  if (first === undefined) throw new Error('A document has a row.');
  const [locale, version] = [...versions].find(([name]) => name === languages[0]) ?? first;
  return { locale, version };
}

/**
 * The version whose values stand for all languages. Once any language is published, everybody reads them, so they are not those of a draft,
 * also where the default language has nothing else.
 */
const sharedOf = (versions: ReadonlyMap<string, Version>, main: Version): Version =>
  main.published === undefined
    ? ([...versions.values()].find(({ published }) => published !== undefined) ?? main)
    : main;

function statusOf(versions: ReadonlyMap<string, Version>, main: Version, localized: ReadonlySet<string>): ForeignValue {
  const of = ({ published }: Version): string => (published === undefined ? 'draft' : 'published');
  if (localized.size === 0) return of(main);
  return new ByLanguage(new Map([...versions].map(([locale, version]) => [locale, of(version)])));
}

const times = (created: string | undefined, updated: string | undefined): Readonly<Record<string, ForeignValue>> => ({
  ...(created === undefined ? {} : { '(created_at)': created }),
  ...((updated ?? created) === undefined ? {} : { '(updated_at)': updated ?? created ?? null }),
});
