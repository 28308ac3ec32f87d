import type { SqlValue } from '../base/bindings.ts';
import { anonymous } from '../base/caller.ts';
import type { FieldFault } from '../base/problem.ts';
import type { Database, Executor, Transaction } from '../database/database.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import type { FieldValue } from '../definition/field-type.ts';
import type { ChangedValues } from '../definition/protocol.ts';
import { isToOne, isTranslated, isValue } from '../definition/stored-field.ts';
import { hasLinks } from '../definition/structure/inner-links.ts';
import { isUnique } from '../definition/type-facts.ts';
import { defaultBudget } from './answers/answer.ts';
import { AnswerCache } from './answers/answer-cache.ts';
import { languageFaults } from './checks/language-faults.ts';
import { checkPayload, copyOf, type RecordChanges } from './checks/payload.ts';
import { applyValues, valuesByName, wholeRecord } from './checks/protocol-values.ts';
import { assignFreeSlugs, freeSlugLike } from './checks/slugs.ts';
import { type CheckedChanges, newReferences, type Reference } from './checks/stored-checks.ts';
import { StoredLinks } from './checks/stored-links.ts';
import { tenantOfChanges } from './checks/tenancy.ts';
import { restoredDraft, restoredDrafts } from './drafts/draft.ts';
import { PlanCache } from './plans/plan.ts';
import type { Translation, Translations } from './statements/language-statements.ts';
import { decodeRow, finds } from './statements/record-statements.ts';
import { withFreeSlugs } from './translation-slugs.ts';
import { byLanguage, checkTranslations, uniqueTranslations } from './values-by-language.ts';
import type { ChangeLog } from './write/change-log.ts';
import { RecordWriter } from './write/record-writer.ts';
import type { TypeMoment } from './write/record-writes.ts';

/** A record from elsewhere, checked as far as it can be without what is stored. */
export interface RestoredRecord {
  readonly type: ContentType;
  /** Empty where the record has no valid id; that error is among `faults`. */
  readonly id: string;
  readonly changes: RecordChanges;
  /** What it says in other languages than the default. */
  readonly translations: Translations;
  readonly faults: readonly FieldFault[];
}

/** What a record is to say in another language than the default. */
export interface TranslationOfRecord {
  readonly type: ContentType;
  readonly id: string;
  readonly tag: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Of the record; absent: any. */
  readonly status?: string;
}

/** Values of one field, or of fields that are unique together. */
export interface UniqueValue {
  readonly fields: readonly string[];
  /** Equal for equal values. */
  readonly key: string;
}

/**
 * Stores complete records that come from elsewhere, under their own ids and with the values that the service otherwise keeps
 * itself, by the checks and the writer that every record goes through. Nobody's rights are asked: this is for an operator.
 */
export class RecordRestorer {
  readonly #writer: RecordWriter;
  /** One instant for all that is brought in. */
  readonly #now = new Date().toISOString();

  /** `log`: where changes are logged. */
  constructor(database: Database, types: ContentTypes, log: ChangeLog) {
    const answers = new AnswerCache(database.generations, { maxBytes: 0, ttlSeconds: 0 });
    const limits = { pageSize: 1, maxPageSize: 1 };
    const plans = new PlanCache();
    this.#writer = new RecordWriter({ database, types, answers, limits, budget: defaultBudget, plans, changes: log });
  }

  /**
   * Checks a record that is given by field names, `id` and what the service keeps included. What it leaves out becomes
   * what it would be in a new record. What the service computes is never taken from it: that is `computed`, and what protocols make of it.
   */
  check(type: ContentType, whole: Readonly<Record<string, unknown>>, computed: ChangedValues = {}): RestoredRecord {
    const { body, ...languages } = byLanguage(type, whole);
    const isComputed = (name: string): boolean => type.field.get(name)?.computed === true;
    const sent = Object.fromEntries(Object.entries(body).filter(([name]) => !isComputed(name)));
    const kept = this.#kept(type, { ...sent, ...computed });
    const { values, related, faults } = checkPayload(type, { ...kept, ...sent }, 'restore');
    for (const field of type.fields.filter(({ name }) => isComputed(name))) {
      const fallback = kept[field.name] ?? field.default ?? null;
      // True because protocols give values of their fields, and defaults of computed fields are numbers.
      values.set(field, computed[field.name] ?? (fallback as FieldValue | null));
    }
    const draft = restoredDraft(type, values);
    if (draft !== undefined) values.set(draft.field, draft.value);
    const idField = type.field.get('id');
    const id = idField === undefined ? undefined : values.get(idField);
    const changes = { values, related };
    const { translations, ...others } = checkTranslations(type, languages.others);
    const drafts = restoredDrafts(type, languages.others);
    for (const [tag, own] of drafts.values) translations.set(tag, new Map([...(translations.get(tag) ?? []), ...own]));
    const lacking = [...translations].flatMap(([tag, own]) => {
      const said = (name: string) => {
        const field = type.field.get(name);
        return field && (field.localized ? own.get(field) : changes.values.get(field));
      };
      return languageFaults(type, tag, said).map((fault) => ({ ...fault, field: `${fault.field}.${tag}` }));
    });
    const all = [
      ...lacking,
      ...faults,
      ...(draft?.faults ?? []),
      ...languages.faults,
      ...others.faults,
      ...drafts.faults,
    ];
    return { type, id: typeof id === 'string' ? id : '', changes, translations, faults: all };
  }

  async exists(executor: Executor, type: ContentType, id: string): Promise<boolean> {
    return finds(executor, this.#writer.statements.exists(type, id));
  }

  /** Whether the type has any record (of the tenant that the record is of). */
  async any(executor: Executor, { type, changes }: RestoredRecord): Promise<boolean> {
    return finds(executor, this.#writer.statements.any(type, tenantOfChanges(type, changes, null)));
  }

  /**
   * Stores a record whose relations lead to what is stored already. A slug that is taken gets a number, as one that is
   * made of a title does, in each language. If there are errors, returns them and stores nothing.
   */
  async insert(
    transaction: Transaction,
    { type, id, changes: sent, translations: said }: RestoredRecord,
  ): Promise<readonly FieldFault[]> {
    const changes = copyOf(sent);
    const { statements } = this.#writer;
    const translations = await withFreeSlugs(transaction, statements.languages, type, said);
    const tenant = tenantOfChanges(type, changes, null);
    for (const [field, value] of changes.values) {
      if (!field.type.alwaysUnique || typeof value !== 'string') continue;
      const like = statements.slugsLike(type, field, value, tenant);
      changes.values.set(field, await freeSlugLike(transaction, type, value, like));
    }
    await assignFreeSlugs(transaction, type, changes, (field, base) => statements.slugsLike(type, field, base, tenant));
    const faults = await this.#faults(transaction, type, id, changes, translations);
    if (faults.length === 0) await this.#insert(transaction, type, id, changes, translations);
    return faults;
  }

  /**
   * Adds to a stored record what it says in another language. `gone`: there is no such record; `other_status`: it has not the status that is
   * expected of it; `said`: it says something in the language already. Otherwise what speaks against the values: nothing is stored then.
   */
  async translate(
    executor: Executor,
    transaction: Transaction | null,
    { type, id, tag, body, status }: TranslationOfRecord,
  ): Promise<'gone' | 'other_status' | 'said' | readonly FieldFault[]> {
    const { statements, context } = this.#writer;
    const { languages } = statements;
    const row = await executor.first<Record<string, SqlValue>>(statements.row(type, id));
    if (row === undefined) return 'gone';
    const current = decodeRow(type, row, context.database.dialect);
    if (status !== undefined && current.status !== status) return 'other_status';
    const before = languages.decode(type, await executor.rows<Record<string, SqlValue>>(languages.all(type, id)));
    if ([...(before.get(tag) ?? [])].some(([field, value]) => isTranslated(field) && value !== null)) return 'said';
    const checked = checkTranslations(type, new Map([[tag, body]]));
    if (checked.faults.length > 0) return checked.faults;
    const translated = await withFreeSlugs(executor, languages, type, checked.translations);
    if ([...translated.values()].every((values) => values.size === 0)) return [];
    const nothing: RecordChanges = { values: new Map(), related: new Map() };
    const faults = await this.#unknownInTranslations(executor, {
      ...{ type, id, translations: translated },
      changes: { ...nothing, values: new Map(type.fields.map((field) => [field, current[field.name] ?? null])) },
    });
    if (faults.length > 0 || transaction === null) return faults;
    const links = new StoredLinks(transaction, statements, id);
    await this.#writer.update(transaction, { type, current, links, changes: nothing, authorship: null, translated });
    return [];
  }

  /** Stores a record whose relations lead to what is stored already, as it is. If there are errors, returns them and stores nothing. */
  async store(
    transaction: Transaction,
    { type, id, changes, translations }: RestoredRecord,
  ): Promise<readonly FieldFault[]> {
    const faults = await this.#faults(transaction, type, id, changes, translations);
    if (faults.length === 0) await this.#insert(transaction, type, id, copyOf(changes), translations);
    return faults;
  }

  /**
   * The errors that `store` would find, without storing anything. `isComing`: records that will be stored before this one. What a
   * protocol has to say of a record that leads to one of these is known only then.
   */
  async foreseenFaults(
    executor: Executor,
    record: RestoredRecord,
    isComing: (reference: Pick<Reference, 'target' | 'id'>) => boolean,
  ): Promise<readonly FieldFault[]> {
    const { type, id, changes, translations } = record;
    const checked = { ...restoredChanges(type, id, changes, tenantOfChanges(type, changes, null)), isComing };
    const own = await this.#writer.checks(executor).faults(checked);
    const faults = [
      ...own,
      ...(await this.#takenTranslations(executor, type, translations)),
      ...(await this.#unknownInTranslations(executor, record, isComing)),
    ];
    const coming = (await this.references(record)).some(isComing);
    return coming
      ? faults
      : [...faults, ...(await this.#writer.protocolFaults(executor, this.#moment(type, id), checked))];
  }

  /** What the record leads to, in any language. */
  async references({ type, id, changes, translations }: RestoredRecord): Promise<readonly Reference[]> {
    const tenant = tenantOfChanges(type, changes, null);
    const references = [...(await newReferences(restoredChanges(type, id, changes, tenant)))];
    for (const [tag, own] of translations) {
      const found = await newReferences(restoredChanges(type, id, relationsOf(own), tenant));
      references.push(...found.map((reference) => ({ ...reference, place: `${reference.place}.${tag}` })));
    }
    return references;
  }

  /** The values that no other record of the type, and of its tenant, may have. */
  uniqueValues({ type, changes, translations }: RestoredRecord): readonly UniqueValue[] {
    const tenant = tenantOfChanges(type, changes, null);
    const sets = [...type.fields.filter((field) => field.name !== 'id' && isUnique(field)).map((field) => [field])];
    const inOthers = uniqueTranslations(translations, isUnique).map(({ field, tag, value }) => ({
      fields: [`${field.name}.${tag}`],
      key: JSON.stringify([type.singular, tenant, [field.name, tag], [String(value)]]),
    }));
    const inDefault = [...sets, ...(type.uniqueSets ?? [])].flatMap((set) => {
      const values = set.map((field) => changes.values.get(field) ?? null);
      if (values.includes(null)) return [];
      const fields = set.map(({ name }) => name);
      return [{ fields, key: JSON.stringify([type.singular, tenant, fields, values.map(String)]) }];
    });
    return [...inDefault, ...inOthers];
  }

  /**
   * Stores a record without its relations, so that records which lead to each other can be stored in any order; `relate`
   * has to follow in the same transaction. Gives back what speaks against it; nothing is stored then.
   */
  async insertAlone(
    transaction: Transaction,
    { type, id, changes, translations }: RestoredRecord,
  ): Promise<readonly FieldFault[]> {
    const values = [...changes.values].filter(([field]) => isValue(field));
    const alone: RecordChanges = { values: new Map(values), related: new Map() };
    const checked = restoredChanges(type, id, alone, tenantOfChanges(type, changes, null));
    const own = await this.#writer.checks(transaction).faults({ ...checked, references: 'unchecked' });
    const faults = [...own, ...(await this.#takenTranslations(transaction, type, translations))];
    if (faults.length === 0) await this.#insert(transaction, type, id, alone, translations);
    return faults;
  }

  /** Adds the relations to a record that stands alone. Gives back what speaks against them, and against the record in the light of all others. */
  async relate(transaction: Transaction, record: RestoredRecord): Promise<readonly FieldFault[]> {
    const { type, id, changes } = record;
    const values = [...changes.values].filter(([field, value]) => isToOne(field) && value !== null);
    const relations: RecordChanges = { values: new Map(values), related: changes.related };
    const inside = [...changes.values].filter(([field]) => hasLinks(field));
    const references = { ...relations, values: new Map([...values, ...inside]) };
    const tenant = tenantOfChanges(type, changes, null);
    const checked = { ...restoredChanges(type, id, references, tenant), beside: changes.values };
    const faults = [
      ...(await this.#writer.checks(transaction).faults(checked)),
      ...(await this.#unknownInTranslations(transaction, record)),
    ];
    const leadsSomewhere = values.length > 0 || changes.related.size > 0;
    if (faults.length > 0 || !leadsSomewhere) return faults;
    const links = new StoredLinks(transaction, this.#writer.statements, id);
    const update = { type, current: { id }, links, changes: relations, authorship: null };
    await this.#writer.update(transaction, update);
    return faults;
  }

  /** What the type's protocols have to say of a stored record, now that all others are stored. */
  settle(transaction: Transaction, { type, id, changes }: RestoredRecord): Promise<readonly FieldFault[]> {
    return this.#faults(transaction, type, id, changes);
  }

  /**
   * Sets values of a stored record that the service computes, and what its protocols make of them. Nothing happens where the record is
   * gone.
   */
  async complete(transaction: Transaction, type: ContentType, id: string, computed: ChangedValues): Promise<void> {
    const row = await transaction.first<Record<string, SqlValue>>(this.#writer.statements.row(type, id));
    if (row === undefined) return;
    const current = decodeRow(type, row, this.#writer.context.database.dialect);
    const changes: RecordChanges = { values: new Map(), related: new Map() };
    applyValues(type, changes, computed);
    for (const { protocol } of type.protocols) {
      const changed = valuesByName(changes);
      applyValues(type, changes, protocol.derive?.(id, changed, { ...current, ...changed }) ?? {});
    }
    const links = new StoredLinks(transaction, this.#writer.statements, id);
    await this.#writer.update(transaction, { type, current, links, changes, authorship: null });
  }

  async #insert(
    transaction: Transaction,
    type: ContentType,
    id: string,
    changes: RecordChanges,
    translations: Translations,
  ): Promise<void> {
    const record = wholeRecord(type, id, changes);
    await this.#writer.insert(transaction, { type, record, changes, authorship: null });
    const tree = type.facts.tree;
    if (tree !== undefined && typeof record[tree.parent] === 'string')
      await transaction.run(this.#writer.statements.depth(type, tree, id));
    if (translations.size === 0) return;
    const nothing: RecordChanges = { values: new Map(), related: new Map() };
    const links = new StoredLinks(transaction, this.#writer.statements, id);
    const update = { type, current: record, links, changes: nothing, authorship: null, translated: translations };
    await this.#writer.update(transaction, update);
  }

  /** The values of other languages that another record has there. */
  async #takenTranslations(
    executor: Executor,
    type: ContentType,
    translations: Translations,
  ): Promise<readonly FieldFault[]> {
    const faults: FieldFault[] = [];
    const { languages } = this.#writer.statements;
    for (const { field, tag, value } of uniqueTranslations(translations, isUnique)) {
      if (!(await finds(executor, languages.having(type, tag, field, value)))) continue;
      const message = `Another record has this ${field.name} in ${tag}.`;
      faults.push({ field: `${field.name}.${tag}`, code: 'taken', message });
    }
    return faults;
  }

  /** The references of other languages that lead to no record. */
  async #unknownInTranslations(
    executor: Executor,
    { type, id, changes, translations }: Pick<RestoredRecord, 'type' | 'id' | 'changes' | 'translations'>,
    isComing?: CheckedChanges['isComing'],
  ): Promise<readonly FieldFault[]> {
    const tenant = tenantOfChanges(type, changes, null);
    const faults: FieldFault[] = [];
    for (const [tag, own] of translations) {
      const relations = relationsOf(own);
      if (relations.values.size === 0) continue;
      const checked = { ...restoredChanges(type, id, relations, tenant), ...(isComing && { isComing }) };
      const found = await this.#writer.checks(executor).faultsBesidesTaken(checked);
      faults.push(...found.map((fault) => ({ ...fault, field: `${fault.field}.${tag}` })));
    }
    return faults;
  }

  async #faults(
    transaction: Transaction,
    type: ContentType,
    id: string,
    changes: RecordChanges,
    translations: Translations = new Map(),
  ): Promise<readonly FieldFault[]> {
    const checked = restoredChanges(type, id, changes, tenantOfChanges(type, changes, null));
    const own = await this.#writer.storedFaults(transaction, this.#moment(type, id), checked);
    return [
      ...own,
      ...(await this.#takenTranslations(transaction, type, translations)),
      ...(await this.#unknownInTranslations(transaction, { type, id, changes, translations })),
    ];
  }

  #moment(type: ContentType, id: string): TypeMoment & { readonly restored: true } {
    return { type, caller: anonymous, now: this.#now, id, restored: true };
  }

  /** What the protocols give a new record, in JSON form. */
  #kept(type: ContentType, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const kept: Record<string, FieldValue | null> = {};
    // Protocols check what is set to known values; an unknown value is reported separately.
    const changed = body as Readonly<Record<string, FieldValue | null>>;
    const moment = { type, caller: anonymous, now: this.#now, id: String(body.id), changed };
    for (const { protocol, options } of type.protocols) Object.assign(kept, protocol.onCreate?.(moment, options));
    return Object.fromEntries(
      Object.entries(kept).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
    );
  }
}

/** The relations to one record of a translation, and its files. */
const relationsOf = (translation: Translation): RecordChanges => ({
  values: new Map([...translation].filter(([field, value]) => isToOne(field) && value !== null)),
  related: new Map(),
});

/** A record that is put back may point to what protocols hide. */
const restoredChanges = (
  type: ContentType,
  id: string,
  changes: RecordChanges,
  tenant: string | null,
): CheckedChanges => ({ type, id, changes, tenant, current: null, references: 'stored' });
