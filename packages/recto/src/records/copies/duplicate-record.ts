import type { Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { conflict, invalid, Problem } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { Language } from '../../definition/languages/languages.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import { isLocalized, localizedFields } from '../../definition/stored-field.ts';
import type { Answer } from '../answers/answer.ts';
import { totalName } from '../answers/truncated-lists.ts';
import type { JsonRecord } from '../read/references.ts';
import type { Records } from '../records.ts';
import type { Created } from '../write/create-record.ts';
import type { PreparedWrite } from '../write/prepared-write.ts';
import { belongings, type FoundRecord } from './belonging-records.ts';
import { type CopyIds, copiedValues } from './copied-values.ts';

/** A request for a copy of a record, by somebody on the admin routes. */
export interface DuplicateRequest {
  readonly type: ContentType;
  readonly caller: Caller;
  readonly id: string;
  /** Whether what belongs to the record is copied as well. */
  readonly related: boolean;
  /** Values of the copy in the place of those of the record. */
  readonly set: Readonly<Record<string, unknown>>;
}

export interface Duplicate {
  readonly id: string;
  /** The copy of the record. */
  readonly answer: Answer;
  /** How many copies there are of each type, by its singular name, the record itself among them. */
  readonly copies: ReadonlyMap<string, number>;
  /** How many records belong to it that the caller may not get, and that were not copied. */
  readonly hidden: number;
}

/** A copy that is ready for its transaction. */
interface Copy {
  readonly type: ContentType;
  readonly id: string;
  readonly create: PreparedWrite<Created>;
  /** What it says in other languages. */
  readonly translations: readonly PreparedWrite<unknown>[];
}

/**
 * Prepares a copy of a record, with what belongs to it if asked for: each copy is created as the caller's own route would do it, in one
 * transaction. 404 for a record that the caller may not get, 403 where they may not create one of the copies, 409 `too_many_records`, and
 * 422 with everything that is wrong with a copy.
 */
export async function prepareDuplicate(records: Records, request: DuplicateRequest): Promise<PreparedWrite<Duplicate>> {
  const { type, caller, id, related, set } = request;
  const root = { type, id };
  await read(records, caller, root);
  const found = related ? await belongings(records, caller, root) : { records: [root], hidden: 0 };
  const ids: CopyIds = new Map(found.records.map((each) => [each.id, newId()]));
  const sources: Source[] = [];
  for (const each of found.records) sources.push(await sourceOf(records, caller, each, ids));
  const { ordered, late } = inOrder(sources, new Set(ids.values()));
  const copies: Copy[] = [];
  for (const source of ordered) {
    const isRoot = source.from.id === id;
    const own = isRoot ? { ...source, values: { ...source.values, ...set } } : source;
    copies.push(await naming(source, isRoot ? set : undefined, () => prepareCopy(records, caller, own)));
  }
  const others = await Promise.all(
    late.map(({ from, id: copy, values }) => prepareLate(records, caller, from.type, copy, values)),
  );
  const types = [...new Set(found.records.map((each) => each.type))];
  const run = async (transaction: Transaction): Promise<Duplicate> => {
    const made = new Map<string, Created>();
    for (const [index, copy] of copies.entries()) {
      const source = ordered[index];
      if (source === undefined) continue;
      await naming(source, source.from.id === id ? set : undefined, async () => {
        made.set(copy.id, await copy.create.run(transaction));
        for (const translation of copy.translations) await translation.run(transaction);
      });
    }
    for (const write of others) await write.run(transaction);
    const created = made.get(ids.get(id) ?? '');
    if (created === undefined) throw new Error(`The copy of the ${type.singular} was not made.`);
    const answer = await shownNow(records.within(transaction, undefined), caller, { type, id: created.id });
    return { id: created.id, answer: answer ?? created.answer, copies: countByType(copies), hidden: found.hidden };
  };
  return { type, besides: types.filter((each) => each !== type), view: viewFor('admin', caller, records.types), run };
}

/** A record that is copied, with the values of its copy. */
interface Source {
  readonly from: FoundRecord;
  /** The id of the copy. */
  readonly id: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly translations: ReadonlyMap<Language, Readonly<Record<string, unknown>>>;
}

async function sourceOf(records: Records, caller: Caller, from: FoundRecord, ids: CopyIds): Promise<Source> {
  const { type } = from;
  const view = viewFor('admin', caller, records.types);
  const record = await read(records, caller, from);
  const cut = type.fields.find((field) => record[totalName(type, field) ?? ''] !== undefined && !field.type.secret);
  if (cut !== undefined && type.field.get(cut.name)?.writable === true)
    throw conflict('too_many_records', `${cut.name} leads to more records than one answer shows.`);
  const values = await withFreeSlugs(records, caller, type, record, copiedValues(type, view, record, ids));
  const translations = new Map<Language, Readonly<Record<string, unknown>>>();
  for (const language of isLocalized(type) ? records.types.languages.others : []) {
    const own = inLanguage(records, language);
    if (own === undefined) continue;
    const shown = own.types.get(type.singular);
    const said = await read(own, speaking(caller, language), { type: shown, id: from.id });
    const copied = await withFreeSlugs(
      own,
      speaking(caller, language),
      shown,
      said,
      copiedValues(shown, view, said, ids),
    );
    const names = localizedFields(type).map(({ name }) => name);
    const localized = Object.fromEntries(names.flatMap((name) => (name in copied ? [[name, copied[name]]] : [])));
    if (Object.keys(localized).length > 0) translations.set(language, localized);
  }
  return { from, id: ids.get(from.id) ?? newId(), values, translations };
}

/**
 * Gives a copy free slugs like those of the record, where none follow from another field: in the default language they do where a field
 * is named, in the others never.
 */
async function withFreeSlugs(
  records: Records,
  caller: Caller,
  type: ContentType,
  record: JsonRecord,
  values: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  for (const field of type.fields) {
    const slug = record[field.name];
    if (!field.type.alwaysUnique || !field.writable || typeof slug !== 'string') continue;
    if (type.shownIn === undefined ? field.options.target_field === undefined : field.localized)
      values[field.name] = await records.freeSlug(type, field, slug, caller);
  }
  return values;
}

async function prepareCopy(
  records: Records,
  caller: Caller,
  { from, id, values, translations }: Source,
): Promise<Copy> {
  const { type } = from;
  const create = await records.prepareCreate({ type, admin: true, caller, search: '', payload: values, id });
  const others: PreparedWrite<unknown>[] = [];
  for (const [language, payload] of translations) {
    const own = inLanguage(records, language);
    if (own === undefined) continue;
    const shown = own.types.get(type.singular);
    const speaker = speaking(caller, language);
    const update = {
      type: shown,
      admin: true,
      caller: speaker,
      search: '',
      id,
      payload,
      ifMatch: null,
      setsState: true,
    } as const;
    others.push(await own.prepareUpdate(update));
  }
  return { type, id, create, translations: others };
}

/** What leads to a copy that was not there yet. */
const prepareLate = (records: Records, caller: Caller, type: ContentType, id: string, payload: Source['values']) =>
  records.prepareUpdate({ type, admin: true, caller, search: '', id, payload, ifMatch: null, setsState: true });

/**
 * The copies, each behind those that it has to lead to from its beginning. `late` has the other values that lead to copies that were not
 * there yet: they are set once all are there, because records may lead to one another in a circle.
 */
function inOrder(sources: readonly Source[], copies: ReadonlySet<string>) {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const leadsTo = (value: unknown): readonly string[] =>
    [...JSON.stringify(value).matchAll(idsInText)].map(([id]) => id).filter((id) => copies.has(id));
  const ordered: Source[] = [];
  const late: Source[] = [];
  const begun = new Set<string>();
  const done = new Set<string>();
  const visit = (source: Source): void => {
    if (begun.has(source.id)) return;
    begun.add(source.id);
    for (const [name, value] of Object.entries(source.values)) {
      if (!isNeededAtOnce(source.from.type.field.get(name))) continue;
      for (const id of leadsTo(value)) {
        const other = byId.get(id);
        if (other !== undefined) visit(other);
      }
    }
    const isLate = ([, value]: [string, unknown]) => leadsTo(value).some((id) => !done.has(id));
    done.add(source.id);
    const waiting = Object.entries(source.values).filter(isLate);
    const names = new Set(waiting.map(([name]) => name));
    if (waiting.length > 0) late.push({ ...source, values: Object.fromEntries(waiting) });
    const now = Object.entries(source.values).filter(([name]) => !names.has(name));
    ordered.push({ ...source, values: Object.fromEntries(now) });
  };
  for (const source of sources) visit(source);
  return { ordered, late };
}

const isNeededAtOnce = (field: Field | undefined): boolean =>
  field?.required === true || field?.immutable === true || field?.cascades === true;

const idsInText = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What is wrong with the copy of another record names that record; `set`: what was sent for this one. */
async function naming<T>(
  { from }: Source,
  set: DuplicateRequest['set'] | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.errors === undefined || error.status !== 422) throw error;
    // References to other copies were looked for before these were there.
    const own = error.errors.filter(({ code }) => code !== 'unknown_record');
    const errors = own.length === 0 ? error.errors : own;
    throw invalid(errors.map((fault) => ({ ...fault, field: placeOf(from, set, fault.field) })));
  }
}

function placeOf({ type, id }: FoundRecord, set: DuplicateRequest['set'] | undefined, field: string): string {
  if (set === undefined) return `${type.plural}.${id}${field === '' ? '' : `.${field}`}`;
  return Object.hasOwn(set, /^[^.[]*/.exec(field)?.[0] ?? '') ? `set.${field}` : field;
}

/** The copy with what was set behind its beginning. Undefined where its maker may not get it. */
async function shownNow(records: Records, caller: Caller, { type, id }: FoundRecord): Promise<Answer | undefined> {
  try {
    return await records.get({ type, view: 'admin', caller, id, search: '' });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}

function countByType(copies: readonly Copy[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of copies) counts.set(type.singular, (counts.get(type.singular) ?? 0) + 1);
  return counts;
}

async function read(records: Records, caller: Caller, { type, id }: FoundRecord): Promise<JsonRecord> {
  const { body } = await records.get({ type, view: 'admin', caller, id, search: '' });
  // A record as JSON, with what the caller reads of it.
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as JsonRecord;
}

function inLanguage(records: Records, language: Language): Records | undefined {
  const own = readLanguage(records.types.languages, language, false, 'admin');
  return own === undefined ? undefined : records.inLanguage(own);
}

const speaking = (caller: Caller, { tag }: Language): Caller => ({ ...caller, language: tag });
