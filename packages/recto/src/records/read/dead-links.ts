import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { anonymous, type Caller } from '../../base/caller.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { draftColumnOf } from '../../definition/draft-column.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { type ReadView, viewFor } from '../../definition/rights/read-view.ts';
import { isFoundBySlug, slugFieldOf } from '../../definition/slug-field.ts';
import { kindOf } from '../../definition/stored-field.ts';
import { fieldValue } from '../plans/field-values.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { gettable, type PlanContext, relatedRows } from '../plans/visibility.ts';
import { contextInLanguage } from '../select/context-in-language.ts';
import type { ReadContext } from '../select/read-context.ts';
import { formerSlugKey } from '../statements/former-slug-statements.ts';
import type { SiteAddresses } from './html-links.ts';
import { linkColumns, linkFields, linksInRow, linksInValues, type PlacedLink, textIsLike } from './link-texts.ts';
import { filledSlices } from './visible-records.ts';

/** Why a link is dead: no record is there that the caller finds, or visitors do not see it. */
export const deadReasons = ['no_record', 'hidden'] as const;

export interface DeadLink {
  /** The singular name of the type of the record that has the link. */
  readonly type: string;
  readonly id: string;
  readonly place: string;
  /** The language of the text; null: the default one. */
  readonly language: string | null;
  /** Whether it stands in the draft of a published record. */
  readonly draft: boolean;
  readonly href: string;
  /** The record that the link names, as `plural/id`. */
  readonly record: string | null;
  readonly reason: (typeof deadReasons)[number];
}

/** A part of the report, and where the next begins; null: that was the last. */
export interface DeadLinks {
  readonly items: readonly DeadLink[];
  readonly next: string | null;
}

/** So many records are looked at for one answer, a statement for each slice. */
const mostRecords = 2_000;
const slice = 200;

const row = 't0';

/**
 * Links in the texts of records that lead nowhere, of the records that admin reads show the caller: by `data-record`, and by addresses of the
 * site. By type, in the order of the ids. `after`: the `next` of the part before.
 */
export async function deadLinks(
  context: ReadContext,
  caller: Caller,
  site: SiteAddresses,
  after: string | null,
): Promise<DeadLinks> {
  const { types, database } = context;
  const view = viewFor('admin', caller, types);
  const sources = types.all.flatMap((type) => sourcesOf(context, type, view));
  const [begin = '', last = '', tag] = after?.split('/') ?? [];
  const isBegin = ({ owner, language }: Source): boolean =>
    owner.plural === begin && language?.toLowerCase() === tag?.toLowerCase();
  const start = after === null ? 0 : sources.findIndex(isBegin);
  const items: DeadLink[] = [];
  let looked = 0;
  for (const source of start === -1 ? [] : sources.slice(start)) {
    const { owner, language } = source;
    let from = isBegin(source) ? last : '';
    for (;;) {
      const { plans, database: own } = source.context;
      const plan = plans.get(`linking|${owner.singular}|${view.key}`, () => slicePlan(source, view));
      const reader = own.reader([owner.singular], 'related');
      const bindings = new RequestBindings(caller, [
        from,
        ...searchedIn(source).flatMap(() => [htmlLike, markdownLike]),
      ]);
      const rows = await reader.rows<Record<string, SqlValue>>(plan.bind(bindings));
      const found = rows.map((stored) => ({
        id: String(stored.id),
        links: linksOf(source, stored, view, database.dialect),
      }));
      const part = { owner: types.get(owner.singular), language, found, caller, view, site };
      items.push(...(await deadOf(context, part)));
      looked += rows.length;
      from = found.at(-1)?.id ?? from;
      if (rows.length < slice) break;
      if (looked >= mostRecords)
        return { items, next: `${owner.plural}/${from}${language === undefined ? '' : `/${language}`}` };
    }
  }
  return { items, next: null };
}

/** Texts of a type in one language. */
interface Source {
  readonly context: ReadContext;
  readonly owner: ContentType;
  readonly fields: readonly Field[];
  /** Where the drafts of its records are; undefined: there are none, or the view does not show them. */
  readonly drafts: Field | undefined;
  /** Undefined: the default one. */
  readonly language: string | undefined;
}

/** The texts of a type that a view shows: of the default language, and of each other one what it says itself. */
function sourcesOf(context: ReadContext, type: ContentType, view: ReadView): readonly Source[] {
  const fields = linkFields(type, view);
  if (fields.length === 0) return [];
  const own: Source = { context, owner: type, fields, drafts: draftsIn(type, view), language: undefined };
  if (!fields.some(({ localized }) => localized)) return [own];
  const others = inOtherLanguages(context, 'admin').map(({ context: other, tag }): Source => {
    const owner = other.types.get(type.singular);
    const localized = linkFields(owner, view).filter((field) => field.localized);
    return { context: other, owner, fields: localized, drafts: draftsIn(owner, view), language: tag };
  });
  return [own, ...others];
}

function draftsIn(type: ContentType, view: ReadView): Field | undefined {
  const field = type.field.get(draftColumnOf(type.protocols) ?? '');
  return field !== undefined && readableFields(type, view).includes(field) ? field : undefined;
}

/** The columns that are looked through. */
const searchedIn = ({ fields, drafts }: Source): readonly Field[] =>
  drafts === undefined ? fields : [...fields, drafts];

/** A link, and whether it stands in a draft. */
interface StoredLink extends PlacedLink {
  readonly isDraft: boolean;
}

/** The links in a record, and those in the texts that its draft changes. */
function linksOf(
  { fields, drafts }: Source,
  stored: Readonly<Record<string, SqlValue>>,
  view: ReadView,
  dialect: Dialect,
): readonly StoredLink[] {
  const own = linksInRow(fields, stored, view, dialect).map((link) => ({ ...link, isDraft: false }));
  const column = drafts === undefined ? null : (stored[drafts.name] ?? null);
  if (drafts === undefined || column === null) return own;
  // The column holds drafts alone, which name the fields that they change.
  const draft = dialect.decode(kindOf(drafts), column) as {
    readonly changes?: Readonly<Record<string, unknown>>;
  } | null;
  return [...own, ...linksInValues(fields, draft?.changes ?? {}, view).map((link) => ({ ...link, isDraft: true }))];
}

/** The records as each other language has them, without those that could stand in for it. */
const inOtherLanguages = (context: ReadContext, audience: 'admin' | 'public') =>
  context.types.languages.others.flatMap((language) => {
    const read = readLanguage(context.types.languages, language, false, audience);
    return read === undefined ? [] : [{ context: contextInLanguage(context, read), tag: language.tag }];
  });

const htmlLike = '%<a %';
const markdownLike = '%](%';

function slicePlan(source: Source, view: ReadView): Plan {
  const { context: own, owner } = source;
  const fields = searchedIn(source);
  const { dialect } = own.database;
  const places = new ValuePlaces();
  const isLater = sql<boolean>`${column(row, 'id')} > ${places.take()}`;
  const ways = fields.flatMap((field) => [
    textIsLike(field, row, sql`${places.take()}`),
    textIsLike(field, row, sql`${places.take()}`),
  ]);
  const context = { dialect, authenticated: true, reads: new ReadsCollector() };
  const conditions = [isLater, sql<boolean>`(${sql.join(ways, sql` or `)})`, relatedRows(owner, view, row, context)];
  return new Plan(
    sql`select ${column(row, 'id')} as "id", ${linkColumns(fields, row)} from ${tableAs(owner.table, row)}
      where ${allOf(conditions)} order by ${column(row, 'id')} limit ${sql.lit(slice)}`,
    dialect,
  );
}

interface Slice {
  readonly owner: ContentType;
  readonly language: string | undefined;
  readonly found: readonly { readonly id: string; readonly links: readonly StoredLink[] }[];
  readonly caller: Caller;
  readonly view: ReadView;
  readonly site: SiteAddresses;
}

/** What a link names: a record by its id or by its slug. */
interface Named {
  readonly type: ContentType | undefined;
  readonly by: 'id' | 'slug';
  readonly value: string;
}

async function deadOf(context: ReadContext, part: Slice): Promise<readonly DeadLink[]> {
  const { owner, found, caller, view, site } = part;
  const language = part.language ?? null;
  const named = found.flatMap(({ id, links }) =>
    links.flatMap((link) => {
      const name = nameOf(context, link, site);
      return name === undefined ? [] : [{ id, link, name }];
    }),
  );
  const state = new Map<string, State>();
  for (const [type, ofType] of Map.groupBy(named, ({ name }) => name.type)) {
    if (type === undefined) continue;
    for (const [by, ofKind] of Map.groupBy(ofType, ({ name }) => name.by)) {
      const values = [...new Set(ofKind.map(({ name }) => name.value))];
      for (const [value, each] of await statesOf(context, { type, by, values, caller, view }))
        state.set(`${type.plural} ${by} ${value}`, each);
    }
  }
  const ids = named.map(({ id }) => id);
  const isPublic = owner.endpoints.get.access === 'public';
  const shown = isPublic ? await shownToVisitors(context, owner, 'id', ids) : new Set<string>();
  return named.flatMap(({ id, link, name }): readonly DeadLink[] => {
    const { type, by, value } = name;
    const is = type === undefined ? 'no_record' : (state.get(`${type.plural} ${by} ${value}`) ?? 'no_record');
    if (is === 'there' || (is === 'hidden' && !shown.has(id))) return [];
    const record = link.record === null ? null : `${link.record.plural}/${link.record.id}`;
    const { place, href, isDraft: draft } = link;
    return [{ type: owner.singular, id, place, language, draft, href, record, reason: is }];
  });
}

type State = 'there' | DeadLink['reason'];

function nameOf({ types }: ReadContext, { href, record }: PlacedLink, site: SiteAddresses): Named | undefined {
  const typeOf = (plural: string) => types.all.find((type) => type.plural === plural);
  if (record !== null) return { type: typeOf(record.plural), by: 'id', value: record.id };
  const address = site.read(href);
  const type = address && typeOf(address.plural);
  // What is below another path, the site itself knows.
  return address === undefined || type === undefined || !isFoundBySlug(type)
    ? undefined
    : { type, by: 'slug', value: address.slug };
}

interface Looked {
  readonly type: ContentType;
  readonly by: Named['by'];
  readonly values: readonly string[];
  readonly caller: Caller;
  readonly view: ReadView;
}

/** What becomes of links to these ids or slugs. A slug may be one of any language. */
async function statesOf(context: ReadContext, looked: Looked): Promise<ReadonlyMap<string, State>> {
  const { type, by, values } = looked;
  const states = await statesIn(context, looked, context);
  const field = by === 'slug' ? slugFieldOf(type) : undefined;
  if (field === undefined || !field.localized) return states;
  const all = new Map(states);
  const shown = inOtherLanguages(context, 'public');
  for (const [index, { context: own }] of inOtherLanguages(context, 'admin').entries()) {
    const missing = values.filter((value) => all.get(value) !== 'there');
    const asked = { ...looked, type: own.types.get(type.singular), values: missing };
    for (const [value, state] of await statesIn(own, asked, shown[index]?.context ?? own))
      if (state === 'there' || !all.has(value)) all.set(value, state);
  }
  return all;
}

/** `visited`: the records as visitors read them. */
async function statesIn(
  context: ReadContext,
  looked: Looked,
  visited: ReadContext,
): Promise<ReadonlyMap<string, State>> {
  const { type, by, values, caller, view } = looked;
  const isOpen = type.endpoints.get.access === 'public';
  const field = by === 'slug' ? slugFieldOf(type) : undefined;
  // Who reads no slugs is not said which there are, but those that visitors find.
  const isNamed = field === undefined || readableFields(type, view).includes(field);
  if (!isNamed && !isOpen) return new Map(values.map((value) => [value, 'there']));
  const asAdmin = { key: view.key, caller, condition: (plan: PlanContext) => relatedRows(type, view, row, plan) };
  const found = isNamed ? await valuesOf(context, type, by, values, asAdmin) : new Set<string>();
  const states = new Map<string, State>();
  const seen = isOpen ? await shownToVisitors(visited, visited.types.get(type.singular), by, values) : found;
  for (const value of values) {
    if (seen.has(value)) states.set(value, 'there');
    else if (found.has(value)) states.set(value, 'hidden');
  }
  const missing = by === 'slug' ? values.filter((value) => !states.has(value)) : [];
  for (const value of await formerSlugs(context, type, missing)) states.set(value, 'there');
  return states;
}

const shownToVisitors = (context: ReadContext, type: ContentType, by: Named['by'], values: readonly string[]) =>
  valuesOf(context, type, by, values, {
    key: 'visitors',
    caller: anonymous,
    condition: (plan) => gettable(type, row, plan),
  });

interface Seen {
  /** Equal for equal conditions. */
  readonly key: string;
  readonly caller: Caller;
  readonly condition: (plan: PlanContext) => RawBuilder<boolean>;
}

/** Those of the ids or slugs that records have which the condition holds for. */
async function valuesOf(
  { database, plans }: ReadContext,
  type: ContentType,
  by: Named['by'],
  values: readonly string[],
  { key, caller, condition }: Seen,
): Promise<Set<string>> {
  const field = by === 'id' ? type.field.get('id') : slugFieldOf(type);
  const found = new Set<string>();
  if (field === undefined) return found;
  const { dialect } = database;
  for (const { size, filled } of filledSlices(values)) {
    const plan = plans.get(`link-ends|${type.singular}|${by}|${key}|${size}`, () => {
      const places = new ValuePlaces();
      const own = fieldValue(field, row);
      const named = sql.join(Array.from({ length: size }, () => places.take()));
      const reads = new ReadsCollector();
      const shown = condition({ dialect, authenticated: key !== 'visitors', reads });
      const conditions = [sql<boolean>`${own} in (${named})`, shown];
      return new Plan(
        sql`select ${own} as "value" from ${tableAs(type.table, row)} where ${allOf(conditions)}`,
        dialect,
      );
    });
    const rows = await database.rows<{ value: string }>(plan.bind(new RequestBindings(caller, filled)));
    for (const { value } of rows) found.add(value);
  }
  return found;
}

/** Those of the slugs that lead on to a record which visitors see. */
async function formerSlugs(
  { database, plans }: ReadContext,
  type: ContentType,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  const field = slugFieldOf(type);
  const found = new Set<string>();
  if (field === undefined) return found;
  const { dialect } = database;
  for (const { size, filled } of filledSlices(slugs)) {
    const plan = plans.get(`former-link-ends|${type.singular}|${size}`, () => {
      const places = new ValuePlaces();
      const conditions = [
        sql<boolean>`${column('f', 'type')} = ${places.take()}`,
        sql<boolean>`${column('f', 'field')} = ${places.take()}`,
        sql<boolean>`${column('f', 'slug')} in (${sql.join(Array.from({ length: size }, () => places.take()))})`,
        gettable(type, row, { dialect, authenticated: false, reads: new ReadsCollector() }),
      ];
      return new Plan(
        sql`select ${column('f', 'slug')} as "slug" from ${tableAs('recto_former_slugs', 'f')}
          join ${tableAs(type.table, row)} on ${column(row, 'id')} = ${column('f', 'record')} where ${allOf(conditions)}`,
        dialect,
      );
    });
    const bindings = new RequestBindings(anonymous, [type.singular, formerSlugKey(type, field), ...filled]);
    for (const { slug } of await database.rows<{ slug: string }>(plan.bind(bindings))) found.add(slug);
  }
  return found;
}
