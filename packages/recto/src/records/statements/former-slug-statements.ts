import { sql } from 'kysely';
import { anonymous } from '../../base/caller.ts';
import type { Query } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { Language } from '../../definition/languages/languages.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { slugFieldOf, slugReads } from '../../definition/slug-field.ts';
import { isLocalized } from '../../definition/stored-field.ts';
import type { FormerSlugRow } from '../../migrations/storage/former-slugs-table.ts';
import { fieldValue } from '../plans/field-values.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { shownToAll } from '../plans/visibility.ts';
import { contextInLanguage } from '../select/context-in-language.ts';
import type { ReadContext } from '../select/read-context.ts';
import type { Translations } from './language-statements.ts';

const table = sql.table('recto_former_slugs');
const columns = [
  'type',
  'field',
  'slug',
  'tenant',
  'record',
  'moved_at',
] as const satisfies readonly (keyof FormerSlugRow)[];

/** Changes of a record that may give it other slugs, or hide it. */
export interface SlugChange {
  readonly current: StoredRecord;
  readonly values: ReadonlyMap<Field, unknown>;
  /** Absent: nothing. */
  readonly translated?: Translations | undefined;
  /** Canonical datetime. */
  readonly now: string;
}

/** The name by which the slugs of a type are kept: that of the field, with the language that shows the type and has slugs of its own. */
export const formerSlugKey = ({ shownIn }: ContentType, { name, localized }: Field): string =>
  shownIn === undefined || localized !== true ? name : `${name}@${shownIn.read.language.tag}`;

const ofContexts = new WeakMap<ReadContext, Map<string, FormerSlugStatements>>();

/** The statements about what a language shows to the public. */
function inLanguage(base: ReadContext, language: Language): FormerSlugStatements {
  const known = ofContexts.get(base) ?? new Map<string, FormerSlugStatements>();
  ofContexts.set(base, known);
  const found = known.get(language.tag);
  const read = readLanguage(base.types.languages, language, true, 'public');
  if (found !== undefined || read === undefined) return found ?? new FormerSlugStatements(base);
  const made = new FormerSlugStatements(contextInLanguage(base, read));
  known.set(language.tag, made);
  return made;
}

/** The statements that keep the slugs by which records were visible, each planned once. */
export class FormerSlugStatements {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /**
   * What an update does first: it keeps the slugs of a record that may get other ones, or be hidden, in each language. What was not
   * visible is not kept: nobody could know its address.
   */
  beforeUpdate(type: ContentType, change: SlugChange): readonly Query[] {
    const reads = slugReads(type);
    if (reads.size === 0) return [];
    const { current, values, translated, now } = change;
    const id = String(current.id);
    const inDefault = [...values].flatMap(([field, value]) =>
      reads.has(field.name) && value !== current[field.name] ? [field] : [],
    );
    const tags = new Set(
      [...(translated ?? [])].flatMap(([tag, own]) =>
        [...own.keys()].some(({ name }) => reads.has(name)) ? [tag] : [],
      ),
    );
    if (inDefault.length === 0 && tags.size === 0) return [];
    const { languages } = this.#context.types;
    const isShared = inDefault.some((field) => field.localized !== true);
    if (inDefault.length > 0) tags.add(languages.default.tag);
    return [
      ...(inDefault.length === 0 ? [] : this.#keep(type, id, now)),
      ...this.#inOthers(
        type,
        (other) => isShared || [other, ...languages.fallbacksOf(other)].some(({ tag }) => tags.has(tag)),
        (own, shown) => own.#keep(shown, id, now),
      ),
    ];
  }

  /** What a removal does first: the record's slugs, if it was visible by them, lead to no other record again; nor do its former ones. */
  beforeRemoval(type: ContentType, id: string, now: string): readonly Query[] {
    if (slugFieldOf(type) === undefined) return [];
    const forget = () => {
      const places = new ValuePlaces();
      const statement = sql`delete from ${table} where "type" = ${places.take()} and "record" = ${places.take()}`;
      return new Plan(statement, this.#context.database.dialect);
    };
    return [
      ...this.#keep(type, id, now),
      ...this.#inOthers(
        type,
        () => true,
        (own, shown) => own.#keep(shown, id, now),
      ),
      this.#context.plans.query('former-slugs|forget', forget, [type.singular, id]),
    ];
  }

  /** The statements that keep what a type shows to the public in other languages. */
  #inOthers(
    type: ContentType,
    isMeant: (language: Language) => boolean,
    keep: (own: FormerSlugStatements, shown: ContentType) => readonly Query[],
  ): readonly Query[] {
    const { languages } = this.#context.types;
    if (!languages.several || !isLocalized(type)) return [];
    return languages.others.filter(isMeant).flatMap((language) => {
      const own = inLanguage(this.#context.inLanguage?.base ?? this.#context, language);
      return keep(own, own.#context.types.get(type.singular));
    });
  }

  /** Keeps the slug of a record that is visible. It belongs to the record that had it last. */
  #keep(type: ContentType, id: string, now: string): readonly Query[] {
    const slug = slugFieldOf(type);
    if (slug === undefined) return [];
    const build = () => {
      const { dialect } = this.#context.database;
      const places = new ValuePlaces();
      const names = sql.join(columns.map((name) => sql.id(name)));
      const tenant = type.partition === null ? sql`''` : sql`coalesce(${column('t', type.partition)}, '')`;
      const context = { dialect, authenticated: false, reads: new ReadsCollector() };
      const values = sql`${places.take()}, ${places.take()}, ${fieldValue(slug, 't')}, ${tenant}, ${column('t', 'id')}, ${places.take()}`;
      const isIt = sql<boolean>`${column('t', 'id')} = ${places.take()} and ${fieldValue(slug, 't')} is not null`;
      return new Plan(
        sql`insert into ${table} (${names}) select ${values} from ${tableAs(type.table, 't')}
          where ${allOf([isIt, ...shownToAll(type, 't', context)])}
          on conflict ("type", "field", "slug", "tenant")
          do update set "record" = excluded."record", "moved_at" = excluded."moved_at"`,
        dialect,
      );
    };
    const values = [type.singular, formerSlugKey(type, slug), now, id];
    const plan = this.#context.plans.get(`former-slugs|keep|${type.singular}`, build);
    const language = type.shownIn?.read.language.tag;
    const visitor = language === undefined ? anonymous : { ...anonymous, language };
    return [plan.bind(new RequestBindings(visitor, values))];
  }
}
