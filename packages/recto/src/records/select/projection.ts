import { type RawBuilder, sql } from 'kysely';
import type { JsonValues } from '../../database/json-values.ts';
import type { ContentType, ContentTypes, Field, MediaPlace, ShownMember } from '../../definition/content-type.ts';
import { isFileField, type Part, type Structure } from '../../definition/field-type.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { typeInLanguage } from '../../definition/languages/types-in-language.ts';
import { readableFields, readsPrivate } from '../../definition/readable-fields.ts';
import { includedView, type ReadView } from '../../definition/rights/read-view.ts';
import { isColumn, isLocalized, isTranslated, isValue, kindOf } from '../../definition/stored-field.ts';
import { hasFiles } from '../../definition/structure/inner-links.ts';
import { blockMember, hidesPrivate } from '../../definition/structure/structure-items.ts';
import {
  type FieldSelection,
  type IncludeBranch,
  type IncludeTree,
  type RecordBranch,
  shownFields,
} from '../../query/record-parts.ts';
import { totalName } from '../answers/truncated-lists.ts';
import { asInLanguage } from '../plans/as-in-language.ts';
import { fieldValue } from '../plans/field-values.ts';
import { selectInLanguage } from '../plans/language-tables.ts';
import { annotationsOf } from '../plans/plan-reads.ts';
import { everyMember, membersOfLanguages } from '../plans/shown-languages.ts';
import { allOf, column } from '../plans/sql-parts.ts';
import { type PlanContext, viewCondition } from '../plans/visibility.ts';
import { alternatesMember } from './alternates-member.ts';
import { mayMember } from './may-member.ts';
import { idRows, idsJson, referenceTo } from './related-ids.ts';
import { Aliases, type RelatedRows, Relations, selectRelated } from './related-rows.ts';

const emptyArray = sql`'[]'`;
const emptyObject = sql`'{}'`;

/**
 * Builds the JSON text of records inside the statement: the fields of a view, relations as ids, or, where
 * included, as what the target's own `get` would show this caller. Correlated subqueries, never a query a row.
 */
export class Projection {
  readonly #context: PlanContext;
  readonly #isNew: boolean;
  readonly #aliases = new Aliases();
  readonly #relations: Relations;
  readonly #types: ContentTypes;

  /** `isNew`: of records that no other row points to, or has a link of, yet. Nothing is looked for then. */
  constructor(types: ContentTypes, context: PlanContext, isNew = false) {
    this.#context = context;
    this.#types = types;
    this.#isNew = isNew;
    this.#relations = new Relations(types, context, this.#aliases);
  }

  /** The record in row `alias` of `type` as a JSON object. */
  record(type: ContentType, alias: string, view: ReadView, parts: RecordParts = {}): RawBuilder<string> {
    const { include = [], fields = null, may = false, alternates = false, inEvery = false } = parts;
    const more = [
      ...(alternates ? [alternatesMember(this.#types, { type, view, alias, context: this.#context })] : []),
      ...(inEvery ? [this.#everyLanguage({ type, alias, view, include, fields, isIncluded: false })] : []),
      ...(parts.more ?? []),
      ...(may ? [mayMember(type, view, alias, this.#context)] : []),
    ];
    return this.#record({ type, alias, view, include, fields, isIncluded: false }, more);
  }

  #record(shown: ShownRecord, more: readonly Member[] = []): RawBuilder<string> {
    const { type, view, include, fields: selection } = shown;
    this.#context.reads.type(type.singular);
    // Shown to admins, whose lists can be filtered by it; changes of it do not invalidate other answers.
    if (view.audience === 'admin') this.#context.reads.type(annotationsOf(type));
    const branches = branchesOf(include);
    const fields = shownFields(type, view, selection, include).flatMap((field): readonly Member[] => {
      const branch = branches.get(field);
      // A field of no relation keeps its id, and the record is added beside it.
      const isBeside = branch?.target != null && branch.name !== field.name;
      if (!isBeside) return [[field.name, this.#field(shown, field, branch)]];
      const record: Member = [branch.name, this.#includedBeside(shown, field, branch)];
      const isSelected = selection === null || selection.includes(field);
      return isSelected ? [[field.name, this.#field(shown, field, undefined)], record] : [record];
    });
    return this.#context.dialect.jsonObject([...fields, ...this.#languages(shown), ...more]);
  }

  /** What a record says of its languages; nothing of a type without localized fields. */
  #languages({ type, alias, view, fields, include }: ShownRecord): readonly Member[] {
    const { languages } = this.#types;
    if (!languages.several || !isLocalized(type)) return [];
    const readable = readableFields(type, view).filter(isTranslated);
    const shown = shownFields(type, view, fields, include).filter(isTranslated);
    const row = { type, alias, readable, shown, isNew: this.#isNew, audience: view.audience };
    return membersOfLanguages(row, languages, this.#context.dialect);
  }

  /** What the record says in each language but the default: `{"de": {"title": …}}`, null where the caller does not find it. */
  #everyLanguage(shown: ShownRecord): Member {
    const { type, alias, view, include, fields } = shown;
    const { languages } = this.#types;
    const { dialect } = this.#context;
    const names = shownFields(type, view, fields, include).filter(isTranslated);
    const branches = branchesOf(include);
    const row = 'lo';
    const others = languages.others.flatMap((language): readonly Member[] => {
      const read = readLanguage(languages, language, false, view.audience);
      const own = read && typeInLanguage(type, read);
      if (own?.shownIn === undefined) return [];
      const values = names.flatMap((field): readonly Member[] => {
        const translated = own.field.get(field.name);
        if (translated === undefined) return [];
        return [[field.name, this.#field({ ...shown, type: own, alias: row }, translated, branches.get(field))]];
      });
      const right = viewCondition(type, view, 'get', row, this.#context);
      const seen = right && asInLanguage(right, language.tag);
      const isIt = sql<boolean>`${column(row, 'id')} = ${column(alias, 'id')}`;
      const conditions = allOf(seen === undefined ? [isIt] : [isIt, seen]);
      const from = sql`(${selectInLanguage(own.shownIn, dialect)}) as ${sql.id(row)} where ${conditions}`;
      return [[language.tag, dialect.jsonOne(dialect.jsonObject(values), from)]];
    });
    return [everyMember, dialect.json('json', dialect.jsonObject(others))];
  }

  #field(shown: ShownRecord, field: Field, branch: IncludeBranch | undefined): RawBuilder<unknown> {
    const { alias, view } = shown;
    const { place } = field;
    const { dialect } = this.#context;
    const records = branch?.target == null ? undefined : branch;
    switch (place.shape) {
      case 'column':
        return this.#ownValue(shown, field, branch?.target === null ? branch.include : []);
      case 'to_one':
        if (place.media !== undefined && records === undefined)
          return this.#file(fieldValue(field, alias), place.target, place.media, view);
        return records === undefined
          ? dialect.json('text', fieldValue(field, alias))
          : this.#includedOne(fieldValue(field, alias), records, view);
      case 'to_many':
      case 'inverse': {
        const related = this.#isNew ? undefined : this.#relations.many(field, alias, view, records?.target);
        if (related === undefined) return dialect.json('json', emptyArray);
        return place.shape === 'to_many' && place.media !== undefined && records === undefined
          ? this.#files(related, place.target, place.media, view)
          : this.#many(shown, field, related, records);
      }
    }
  }

  /** A field that is no relation. `inside` is what is included into its value. */
  #ownValue(shown: ShownRecord, field: Field, inside: IncludeTree): RawBuilder<unknown> {
    const { alias, view } = shown;
    const { dialect } = this.#context;
    const own = fieldValue(field, alias);
    if (field.type.members !== undefined) return this.#members(field.type.members, alias, own);
    const { structure } = field;
    const kind = kindOf(field);
    if (structure === undefined) return dialect.json(kind, own);
    const built = (isAsDefined: boolean) =>
      isAsDefined && isShownWhole(field, view, inside)
        ? dialect.json(kind, own)
        : dialect.jsonValues.once(own, this.#aliases.take(), (value) =>
            this.#inside(structure, value, { view, include: inside, isAsDefined }),
          );
    const isAsDefined = this.#isAsDefined(shown, field);
    if (typeof isAsDefined === 'boolean') return built(isAsDefined);
    // Included records would stand in the statement twice, and what is included into them four times.
    if (inside.length > 0) return built(false);
    return dialect.json('json', sql`case when ${isAsDefined} then ${built(true)} else ${built(false)} end`);
  }

  /** Whether a field's stored values have no members that a public view must not show, or the condition under which they have none. */
  #isAsDefined({ type, view }: ShownRecord, { structure }: Field): boolean | RawBuilder<boolean> {
    const { form } = this.#context;
    if (structure === undefined || readsPrivate(view) || form === 'as_defined') return true;
    return form?.isAsDefined(type) ?? false;
  }

  /** A value of a structured field as the view shows it; null where the stored one is of another form. */
  #inside(structure: Structure, value: RawBuilder<unknown>, shown: ShownInside): RawBuilder<unknown> {
    const { dialect } = this.#context;
    const { jsonValues } = dialect;
    if (!structure.many) {
      const item = this.#item(structure, storedItem(value, jsonValues), shown);
      return dialect.json('json', sql`case when ${jsonValues.isObject(value)} then ${item} end`);
    }
    const alias = this.#aliases.take();
    const names = isExact(shown) ? memberNames(structure) : undefined;
    const objects = names === undefined ? undefined : jsonValues.objects?.(value, alias, names);
    const isObject = isExact(shown) && structure.parts.every(({ item }) => item === null);
    const item =
      objects === undefined
        ? storedItem(jsonValues.item(alias, isObject), jsonValues)
        : objectColumns(alias, jsonValues);
    const items = dialect.jsonArray(this.#item(structure, item, shown), objects ?? jsonValues.items(value, alias));
    return dialect.json('json', sql`case when ${jsonValues.isArray(value)} then ${items} end`);
  }

  #item({ tagged, parts }: Structure, item: StoredItem, shown: ShownInside): RawBuilder<unknown> {
    if (!tagged) return sql.join(parts.map((part) => this.#part(part, item, shown)));
    const { changed } = this.#context.dialect.jsonValues;
    const removed = item.whole === undefined || !isExact(shown) ? undefined : removedOfAll(parts, shown);
    if (item.whole !== undefined && changed !== undefined && removed !== undefined)
      return changed(item.whole, removed, []);
    const cases = parts.map((part) => sql`when ${item.isBlock(part.name)} then ${this.#part(part, item, shown)}`);
    return this.#context.dialect.json('json', sql`case ${item.block} ${sql.join(cases, sql` `)} end`);
  }

  #part({ name, item: only, fields }: Part, item: StoredItem, shown: ShownInside): RawBuilder<unknown> {
    const { dialect } = this.#context;
    const { jsonValues } = dialect;
    const branches = branchesOf(shown.include);
    const { whole } = item;
    if (only !== null) {
      if (whole === undefined) throw new TypeError(`An item of ${only.name} has no members.`);
      return this.#member(only, whole, jsonValues.itemText(whole), { ...shown, branch: branches.get(only) });
    }
    const seen = fields.filter((field) => isSeen(field, shown.view));
    const members = (some: readonly Field[]) =>
      some.map((field) => {
        const [json, text] = [item.json(field.name), item.text(field.name)];
        return [field.name, this.#member(field, json, text, { ...shown, branch: branches.get(field) })] as const;
      });
    // What is stored has the members of the definition and no others: those that are not shown as they are stored are changed.
    if (isExact(shown) && whole !== undefined && jsonValues.changed !== undefined) {
      const removed = fields.filter((field) => !seen.includes(field)).map((field) => field.name);
      const others = seen.filter((field) => !isShownAsStored(field, shown.view, branches.get(field)));
      return jsonValues.changed(whole, removed, members(others));
    }
    const tag = name === null ? [] : [blockMember, 'id'];
    return jsonValues.object([
      ...tag.map((each) => [each, jsonValues.shown(item.json(each))] as const),
      ...members(seen),
    ]);
  }

  /** A field inside another; `text` is the value's own text. */
  #member(
    field: Field,
    value: RawBuilder<unknown>,
    text: RawBuilder<string | null>,
    { view, isAsDefined, branch }: ShownMemberOf,
  ): RawBuilder<unknown> {
    if (branch?.target != null) return this.#includedOne(text, branch, view);
    const { place } = field;
    if (place.shape === 'to_one' && place.media !== undefined) return this.#file(text, place.target, place.media, view);
    return field.structure === undefined || (isAsDefined && isShownAsStored(field, view, branch))
      ? this.#context.dialect.jsonValues.shown(value)
      : this.#inside(field.structure, value, { view, include: branch?.include ?? [], isAsDefined });
  }

  /** Texts put together from columns of the row; an empty object where the column is null. */
  #members(members: readonly ShownMember[], alias: string, own: RawBuilder<unknown>): RawBuilder<unknown> {
    const { dialect } = this.#context;
    const entries = members.map((member) => {
      const parts = member.parts.map((part) =>
        typeof part === 'string' ? sql`${sql.lit(part)}` : sql`${column(alias, part.column)}`,
      );
      return [member.name, dialect.json('text', sql`(${sql.join(parts, sql` || `)})`)] as const;
    });
    return dialect.json('json', sql`case when ${own} is null then '{}' else ${dialect.jsonObject(entries)} end`);
  }

  /** A file by its id: what is shown of it, or its id alone where this caller may not read it. An address is shown as it is. */
  #file(id: RawBuilder<unknown>, target: string, { shows }: MediaPlace, view: ReadView): RawBuilder<unknown> {
    const { dialect } = this.#context;
    const type = this.#types.get(target);
    const related = this.#relations.one(id, type, view);
    this.#context.reads.type(target);
    const readable = readableFields(type, includedView(view));
    const found = shows.map((name) => [name, this.#shownOfFile(type, related.row, name, readable)] as const);
    const nothing = sql`null`;
    const hidden = shows.map((name) => {
      if (name === 'id') return [name, dialect.json('text', id)] as const;
      return [
        name,
        type.field.get(name)?.type.members === undefined ? nothing : dialect.json('json', emptyObject),
      ] as const;
    });
    const file = dialect.jsonOne(
      dialect.jsonObject(found),
      sql`${sql.join(related.tables)} where ${allOf(related.conditions)}`,
    );
    const isAddress = sql`${id} like '%/%'`;
    return dialect.json(
      'json',
      sql`case when ${id} is null then null when ${isAddress} then ${dialect.jsonText(id)}
        else coalesce(${file}, ${dialect.jsonObject(hidden)}) end`,
    );
  }

  /** What is shown of a file in row `alias`; null for what its own `get` would leave out. */
  #shownOfFile(type: ContentType, alias: string, name: string, readable: readonly Field[]): RawBuilder<unknown> {
    const field = type.field.get(name);
    if (field === undefined || !isValue(field) || !readable.includes(field)) return sql`null`;
    const own = fieldValue(field, alias);
    if (field.type.members !== undefined) return this.#members(field.type.members, alias, own);
    return this.#context.dialect.json(kindOf(field), own);
  }

  #files(related: RelatedRows, target: string, media: MediaPlace, view: ReadView): RawBuilder<unknown> {
    const alias = this.#aliases.take();
    const rows = sql`${idRows(related)} order by ${related.order}`;
    const file = this.#file(column(alias, 'id'), target, media, view);
    return this.#context.dialect.jsonArray(file, sql`(${rows}) as ${sql.id(alias)}`);
  }

  /** The record whose id a field of no relation holds. */
  #includedBeside({ alias, view }: ShownRecord, field: Field, branch: RecordBranch): RawBuilder<unknown> {
    return isColumn(field) ? this.#includedOne(fieldValue(field, alias), branch, view) : sql`'null'`;
  }

  #includedOne(id: RawBuilder<unknown>, { target, include }: RecordBranch, view: ReadView): RawBuilder<unknown> {
    const related = this.#relations.one(id, target, view);
    const json = this.#included(target, related.row, view, include);
    return this.#context.dialect.jsonOne(json, sql`${sql.join(related.tables)} where ${allOf(related.conditions)}`);
  }

  /** A relation to many, in order: the records where it is included, else their ids. */
  #many(shown: ShownRecord, field: Field, related: RelatedRows, branch: RecordBranch | undefined): RawBuilder<unknown> {
    const alias = this.#aliases.take();
    const { dialect } = this.#context;
    if (branch === undefined) {
      return idsJson(related, alias, dialect, this.#total(shown, field, related));
    }
    const json = this.#included(branch.target, alias, shown.view, branch.include);
    const rows = selectRelated(related, sql`${sql.id(related.row)}.*`);
    return dialect.jsonArray(json, sql`(${rows} order by ${related.order}) as ${sql.id(alias)}`);
  }

  /** How many ids there are. An included record may be in the answer many times: its are counted once, afterwards. */
  #total({ type, alias, isIncluded }: ShownRecord, field: Field, related: RelatedRows): RawBuilder<unknown> {
    if (totalName(type, field) === undefined) return sql`''`;
    return isIncluded ? referenceTo(type, field, alias) : sql`(select count(*) from (${idRows(related)}) as "counted")`;
  }

  #included(type: ContentType, alias: string, view: ReadView, include: IncludeTree): RawBuilder<string> {
    return this.#record({ type, alias, view: includedView(view), include, fields: null, isIncluded: true });
  }
}

/** A name in an object, and the JSON of its value. */
type Member = readonly [name: string, value: RawBuilder<unknown>];

/** What a record is made of. */
export interface RecordParts {
  /** Default: no related records. */
  readonly include?: IncludeTree;
  /** Default: all that the view shows. */
  readonly fields?: FieldSelection;
  /** Whether the record says what the caller may do with it. */
  readonly may?: boolean;
  /** Whether the record has its addresses in all languages. */
  readonly alternates?: boolean;
  /** Whether the record says what it says in each language but the default. */
  readonly inEvery?: boolean;
  /** Members that are no fields. */
  readonly more?: readonly Member[];
}

/** How a field inside another is shown. */
interface ShownInside {
  readonly view: ReadView;
  /** Of the fields inside. */
  readonly include: IncludeTree;
  /** Whether the stored value has the members of the definition and no others. */
  readonly isAsDefined: boolean;
}

/** Whether a statement may rely on the form of the stored value. Who reads private fields is shown values of any form. */
const isExact = ({ view, isAsDefined }: ShownInside): boolean => isAsDefined && !readsPrivate(view);

type ShownMemberOf = Omit<ShownInside, 'include'> & { readonly branch: IncludeBranch | undefined };

/** An item of a stored value. */
interface StoredItem {
  /** Undefined where only its members can be read. */
  readonly whole: RawBuilder<unknown> | undefined;
  json(member: string): RawBuilder<unknown>;
  text(member: string): RawBuilder<string | null>;
  /** What equals `isBlock` of the name of its block. */
  readonly block: RawBuilder<unknown>;
  isBlock(name: string | null): RawBuilder<unknown>;
}

const storedItem = (whole: RawBuilder<unknown>, values: JsonValues): StoredItem => ({
  whole,
  json: (member) => values.member(whole, member),
  text: (member) => values.memberText(whole, member),
  block: values.memberText(whole, blockMember),
  isBlock: (name) => sql.lit(name),
});

/** An item whose members are columns. */
const objectColumns = (alias: string, values: JsonValues): StoredItem => ({
  whole: undefined,
  json: (member) => column(alias, member),
  text: (member) => values.itemText(column(alias, member)),
  // A text need not be made of it.
  block: values.shown(column(alias, blockMember)),
  isBlock: (name) => sql.lit(JSON.stringify(name)),
});

/** The names of what is not shown of blocks, where all else is shown as it is stored, and none is a name that another block shows. */
function removedOfAll(parts: readonly Part[], { view, include }: ShownInside): readonly string[] | undefined {
  const fields = parts.flatMap((part) => part.fields);
  const seen = fields.filter((field) => isSeen(field, view));
  if (include.length > 0 || !seen.every((field) => isShownAsStored(field, view, undefined))) return undefined;
  const names = new Set([blockMember, 'id', ...seen.map(({ name }) => name)]);
  const hidden = fields.filter((field) => !seen.includes(field)).map(({ name }) => name);
  return hidden.some((name) => names.has(name)) ? undefined : [...new Set(hidden)];
}

/** The members that the items of a field have; undefined where they are no objects, or too many to be columns. */
function memberNames({ parts, tagged }: Structure): readonly string[] | undefined {
  if (parts.some(({ item }) => item !== null)) return undefined;
  const names = new Set(tagged ? [blockMember, 'id'] : []);
  for (const { fields } of parts) for (const { name } of fields) names.add(name);
  return names.size === 0 || names.size > mostColumns ? undefined : [...names];
}

/** Each item takes time for each of these. */
const mostColumns = 64;

const branchesOf = (include: IncludeTree): ReadonlyMap<Field, IncludeBranch> =>
  new Map(include.map((branch) => [branch.field, branch]));

/** Whether a view shows a structured field as it is stored. */
const isShownWhole = (field: Field, view: ReadView, include: IncludeTree): boolean =>
  include.length === 0 && !hasFiles(field) && (readsPrivate(view) || !hidesPrivate(field));

/** Whether a view shows a field inside another. */
const isSeen = (field: Field, view: ReadView): boolean => readsPrivate(view) || !field.private;

/** The same as `isShownWhole` for a field inside another, with what is included into it. */
const isShownAsStored = (field: Field, view: ReadView, branch: IncludeBranch | undefined): boolean =>
  branch === undefined && !isFileField(field) && isShownWhole(field, view, []);

/** A record as it stands in an answer. */
interface ShownRecord {
  readonly type: ContentType;
  readonly alias: string;
  readonly view: ReadView;
  readonly include: IncludeTree;
  readonly fields: FieldSelection;
  readonly isIncluded: boolean;
}
