import { isAuthenticated } from '../../base/caller.ts';
import type { FieldFault } from '../../base/problem.ts';
import type { Executor, Query, Transaction } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { isLocalized, junctionOf } from '../../definition/stored-field.ts';
import { linksIn } from '../../definition/structure/inner-links.ts';
import { isSearched } from '../../definition/type-facts.ts';
import { hasSameTexts, storedStructure } from '../../migrations/storage/stored-structure.ts';
import { noVisibilityParams } from '../../query/read-view.ts';
import { type Answer, answerOf } from '../answers/answer.ts';
import { requireAssignee } from '../checks/assignee-check.ts';
import type { RecordChanges } from '../checks/payload.ts';
import { applyValues, valuesByName } from '../checks/protocol-values.ts';
import { type CheckedChanges, StoredChecks, takenProblem } from '../checks/stored-checks.ts';
import { storedRecords } from '../checks/stored-records.ts';
import { tenantOfRecord } from '../checks/tenancy.ts';
import { RequestBindings } from '../plans/plan.ts';
import { annotationsOf } from '../plans/plan-reads.ts';
import { type RecordChange, RevisionWriter } from '../revisions/revision-writer.ts';
import { contextInLanguage } from '../select/context-in-language.ts';
import { recordPlan } from '../select/record-plan.ts';
import { RecordStatements, type Returned, wordsOf } from '../statements/record-statements.ts';
import { isReturnable } from '../statements/write-plans.ts';
import { type LoggedChange, loggedChange } from './change-log.ts';
import { LanguagesOfUpdate } from './languages-of-update.ts';
import type { PreparedWrite } from './prepared-write.ts';
import type { NewRecord, RecordRemoval, RecordUpdate, TypeMoment } from './record-writes.ts';
import type { WriteContext } from './write-context.ts';

/** Writes values, relations and search words of records, and returns the result. */
export class RecordWriter {
  readonly context: WriteContext;
  readonly statements: RecordStatements;
  readonly #revisions: RevisionWriter;
  readonly #languages: LanguagesOfUpdate;
  #withFallback: RecordWriter | undefined;

  constructor(context: WriteContext) {
    this.context = context;
    this.statements = new RecordStatements(context);
    this.#revisions = new RevisionWriter(context);
    this.#languages = new LanguagesOfUpdate(this.statements, context.database.dialect);
  }

  /** The records as readers get them with values of other languages, of which they may hold entity tags; undefined in the default language. */
  get withFallback(): RecordWriter | undefined {
    const { base, read } = this.context.inLanguage ?? {};
    const { languages } = this.context.types;
    const other = read && readLanguage(languages, read.language, true, read.audience);
    if (base === undefined || other === undefined) return undefined;
    this.#withFallback ??= new RecordWriter(contextInLanguage(base, other));
    return this.#withFallback;
  }

  /** Runs a write in a transaction, and resolves after the commit. A violated unique index is reported as the taken field. */
  async runInTransaction<T>({ type, besides = [], view, run }: PreparedWrite<T>): Promise<T> {
    const { database, layouts } = this.context;
    const checkLayouts = async (transaction: Transaction): Promise<void> => {
      await layouts?.check(transaction, type);
      for (const other of besides) await layouts?.check(transaction, other);
    };
    try {
      if (layouts === undefined) return await database.transaction((transaction) => run(transaction, true));
      return await database.transaction(async (transaction) => {
        // The write need not wait for it: all of it is undone where the tables have changed, whatever it fails of there.
        const [layout, done] = await Promise.allSettled([checkLayouts(transaction), run(transaction, true)]);
        if (layout.status === 'rejected') throw layout.reason;
        if (done.status === 'rejected') throw done.reason;
        return done.value;
      });
    } catch (error) {
      const fault = database.dialect.fault(error);
      for (const each of [type, ...besides]) {
        const problem = takenProblem(fault, each, view);
        if (problem !== undefined) throw problem;
      }
      throw error;
    }
  }

  /** The checks that need what is stored, but for those of protocols. */
  checks(executor: Executor): StoredChecks {
    return new StoredChecks(executor, this.statements, this.context.types);
  }

  /** Every error of valid values that depends on stored records; or all but taken values, which an insertion shows. */
  async storedFaults(
    executor: Executor,
    moment: TypeMoment,
    checked: CheckedChanges,
    which: 'all' | 'besides_taken' = 'all',
  ): Promise<readonly FieldFault[]> {
    const checks = this.checks(executor);
    const found = await (which === 'all' ? checks.faults(checked) : checks.faultsBesidesTaken(checked));
    const unknown = new Set(found.filter(({ code }) => code === 'unknown_record').map(({ field }) => field));
    const ofProtocols = await this.protocolFaults(executor, moment, checked);
    // To a sender who does not find a record, nothing else can be said of it.
    return [...found, ...ofProtocols.filter(({ field }) => !unknown.has(field))];
  }

  async protocolFaults(
    executor: Executor,
    moment: TypeMoment,
    { changes, tenant, current }: CheckedChanges,
  ): Promise<readonly FieldFault[]> {
    const { type } = moment;
    const judging = type.facts.checkingProtocols;
    if (judging.length === 0) return [];
    const stored = storedRecords(executor, this.statements, this.context.database.dialect, { type, tenant });
    const changed = valuesByName(changes);
    const record = current?.record ?? null;
    const faults: FieldFault[] = [];
    for (const { protocol, options } of judging) {
      faults.push(...((await protocol.storedFaults?.({ ...moment, changed }, record, stored, options)) ?? []));
    }
    return faults;
  }

  /** Adds what protocols give a new record by what is stored. */
  async placeNew(
    transaction: Transaction,
    moment: TypeMoment,
    tenant: string | null,
    changes: RecordChanges,
  ): Promise<void> {
    const { type } = moment;
    const placing = type.facts.placingProtocols;
    if (placing.length === 0) return;
    const stored = storedRecords(transaction, this.statements, this.context.database.dialect, { type, tenant });
    for (const { protocol, options } of placing) {
      const changed = valuesByName(changes);
      applyValues(type, changes, (await protocol.placeNew?.({ ...moment, changed }, stored, options)) ?? {});
    }
  }

  /** Stores a new record. */
  async insert(transaction: Transaction, created: NewRecord): Promise<void> {
    const { type, record } = created;
    this.context.database.requireRoom?.();
    await transaction.run(this.statements.insert(type, record, false));
    await this.#complete(transaction, created, true);
  }

  /**
   * Stores a new record and returns it. With `unlessTaken`, returns undefined and stores nothing where a unique index is violated.
   * `isLast`: nothing else follows in the transaction.
   */
  async insertReturning(
    transaction: Transaction,
    { unlessTaken, isLast, ...returned }: Returned & { readonly unlessTaken: boolean; readonly isLast: boolean },
    created: NewRecord,
  ): Promise<Answer | undefined> {
    const { type, record, changes } = created;
    this.context.database.requireRoom?.();
    if ([...changes.related.values()].some((ids) => ids.length > 0)) {
      if ((await transaction.run(this.statements.insert(type, record, unlessTaken))) === 0) return undefined;
      const completed = this.#complete(transaction, created, true);
      // Read behind what it completes, without waiting until that is done.
      const [, answer] = await Promise.all([completed, this.readBack(transaction, returned, String(record.id))]);
      return answer;
    }
    const statement = this.statements.insertReturning(returned, record, unlessTaken);
    const isIndexed = type.facts.searched.length === 0 || this.context.database.dialect.search.entry !== undefined;
    const isLinked = type.facts.linking.some((field) => linksIn(field, record[field.name]).length > 0);
    const isAll =
      isLast &&
      !unlessTaken &&
      type.facts.assignee === undefined &&
      isIndexed &&
      !isLinked &&
      !isLocalized(type) &&
      type.facts.revisions === undefined;
    const row = await (isAll
      ? transaction.last<{ body: string }>(statement)
      : transaction.first<{ body: string }>(statement));
    if (row === undefined) return undefined;
    await this.#complete(transaction, created, !isIndexed);
    return answerOf(row.body);
  }

  /** What is stored with a new row. */
  async #complete(
    transaction: Transaction,
    { type, record, changes, authorship }: NewRecord,
    indexes: boolean,
  ): Promise<void> {
    const id = String(record.id);
    const statements = [
      ...this.#linking(id, changes.related),
      ...this.#linkingInside(type, id, {}, changes),
      ...(indexes ? this.#indexing(type, id, record) : []),
      ...(isLocalized(type) ? this.statements.languages.begin(type, id) : []),
    ];
    if (statements.length > 0) await transaction.runAll(statements);
    await this.#recordChange(transaction, { kind: 'created', type, id, record, links: changes.related, authorship });
    await this.#requireAssignee(transaction, { type, id, value: record[type.facts.assignee?.name ?? ''], authorship });
  }

  /** Stores changes of a record. */
  async update(transaction: Transaction, asked: RecordUpdate): Promise<void> {
    const update = await this.#languages.stored(transaction, asked);
    const { type, current, changes } = update;
    const { size } = changes.values;
    const row = size > 0 ? [this.statements.update(type, String(current.id), changes.values)] : [];
    await this.#change(transaction, update, [...this.#formerSlugs(update), ...row]);
  }

  /** Stores changes of a record and returns it. */
  async updateReturning(transaction: Transaction, returned: Returned, update: RecordUpdate): Promise<Answer> {
    const { type, current, changes } = update;
    this.context.database.requireRoom?.();
    const id = String(current.id);
    const isOneRow =
      changes.values.size > 0 &&
      changes.related.size === 0 &&
      type.shownIn === undefined &&
      update.translated === undefined &&
      !movesInTree(type, current, changes);
    if (!isOneRow || !isReturnable(type, returned.view)) {
      await this.update(transaction, update);
      return this.readBack(transaction, returned, id);
    }
    const before = await this.#versionBefore(update);
    const former = this.#formerSlugs(update);
    if (former.length > 0) await transaction.runAll(former);
    const row = await transaction.first<{ body: string }>(
      this.statements.updateReturning(returned, id, changes.values),
    );
    if (row === undefined) throw new Error(`The ${type.singular} ${id} that was being written is not there.`);
    await this.#change(transaction, update, [], before);
    return answerOf(row.body);
  }

  /** What keeps the slugs by which the record was visible before an update. */
  #formerSlugs({ type, current, changes, translated, authorship }: RecordUpdate): readonly Query[] {
    const now = authorship?.now ?? new Date().toISOString();
    return this.statements.formerSlugs.beforeUpdate(type, { current, values: changes.values, translated, now });
  }

  async #change(
    transaction: Transaction,
    update: RecordUpdate,
    row: readonly Query[],
    known?: StoredVersion,
  ): Promise<void> {
    const { type, current, changes, authorship } = update;
    const id = String(current.id);
    const before = known ?? (await this.#versionBefore(update));
    const inLanguages = await this.#languages.changes(transaction, update);
    const moves = movesInTree(type, current, changes);
    const tree = type.facts.tree;
    const after = { ...current, ...valuesByName(changes) };
    const statements = [
      ...row,
      ...(moves && tree !== undefined ? [this.statements.depth(type, tree, id)] : []),
      ...[...changes.related.keys()]
        .flatMap((field) => junctionOf(field) ?? [])
        .map((junction) => this.statements.links.removeAll(junction, id)),
      ...this.#linking(id, changes.related),
      ...this.#linkingInside(type, id, current, changes),
      ...(changesWords(current, changes) ? this.#indexing(type, id, after) : []),
      ...inLanguages.statements,
    ];
    if (statements.length > 0) await transaction.runAll(statements);
    // The place in the tree was computed by the database.
    const record = moves && before !== undefined ? await this.#reload(transaction, type, current) : after;
    const { translations } = inLanguages;
    const links = new Map([...(before?.links ?? []), ...changes.related]);
    await this.#recordChange(transaction, {
      ...{ kind: 'updated', type, id, before, current, changes, record, links, authorship },
      ...(translations === undefined ? {} : { translations }),
    });
    const assignee = type.facts.assignee;
    const value = assignee && changes.values.get(assignee);
    if (value !== current[assignee?.name ?? ''])
      await this.#requireAssignee(transaction, { type, id, value, authorship });
  }

  /** Throws 422 where somebody has assigned the record to an account that cannot get it as it is stored now. */
  async #requireAssignee(
    transaction: Transaction,
    {
      type,
      id,
      value,
      authorship,
    }: Pick<NewRecord, 'type' | 'authorship'> & { readonly id: string; readonly value: FieldValue | null | undefined },
  ): Promise<void> {
    const field = type.facts.assignee?.name;
    if (field === undefined || authorship === null || typeof value !== 'string') return;
    const { caller } = authorship;
    await requireAssignee(transaction, this.context, { type, id, field, assignee: value, caller });
  }

  /** What a version holds of a record before an update; undefined where none is kept. */
  async #versionBefore({ type, current, links, authorship }: RecordUpdate): Promise<StoredVersion | undefined> {
    if (authorship === null || type.facts.revisions === undefined) return undefined;
    return { record: current, links: await links.all(type) };
  }

  async #reload(transaction: Transaction, type: ContentType, current: StoredRecord): Promise<StoredRecord> {
    const tenant = tenantOfRecord(type, current);
    const stored = storedRecords(transaction, this.statements, this.context.database.dialect, { type, tenant });
    const record = await stored.find(String(current.id));
    if (record === undefined) throw new Error(`The ${type.singular} ${current.id} that was just written is not there.`);
    return record;
  }

  /** Stores what is no content of a record, such as its draft: nothing that public routes return depends on it. */
  async annotate(transaction: Transaction, type: ContentType, id: string, field: Field, value: FieldValue | null) {
    if (value !== null) this.context.database.requireRoom?.();
    const { base, read } = type.shownIn ?? {};
    const own = base?.field.get(field.name);
    const values = new Map([[own ?? field, value]]);
    const statement =
      base !== undefined && read !== undefined && own?.localized === true
        ? this.statements.languages.set(base, id, read.language.tag, values, new Date().toISOString())
        : this.statements.update(base ?? type, id, values);
    await transaction.run(statement);
    transaction.touch(annotationsOf(type));
  }

  /** Removes a record's row, with its search words, its versions and the notes on it. */
  async remove(transaction: Transaction, { type, record, authorship }: RecordRemoval): Promise<void> {
    const id = String(record.id);
    const { search } = this.context.database.dialect;
    await transaction.runAll([
      ...this.statements.formerSlugs.beforeRemoval(type, id, authorship.now),
      ...(type.facts.searched.length > 0 ? search.remove(type.table, id) : []),
      this.statements.remove(type, id),
      ...this.statements.innerLinks.removeAll(type, id),
      ...this.statements.languages.removeAll(type, id),
      this.statements.notes.removeAll(type, id),
    ]);
    await this.#recordChange(transaction, { kind: 'removed', type, id, record, authorship });
  }

  /**
   * What follows from a change of one record within its transaction. Every create, update, delete and restore ends here, once
   * for each record that it changes.
   */
  async #recordChange(transaction: Transaction, change: RecordChange): Promise<void> {
    transaction.touch(change.type.singular);
    // What is removed for good leaves nothing behind, also where versions are no longer kept.
    const isVersioned = change.kind === 'removed' || change.type.facts.revisions !== undefined;
    const revision = isVersioned ? await this.#revisions.write(transaction, change) : null;
    this.logChange(transaction, loggedChange(change, revision, this.context.types.languages));
  }

  /** Adds a change to the log of changes. */
  logChange(transaction: Transaction, change: LoggedChange | undefined): void {
    if (change !== undefined) this.context.changes?.add(transaction, change);
  }

  /** A record as the view returns it, read within the transaction that wrote it. */
  async readBack(
    executor: Pick<Executor, 'first'>,
    { type: asked, view, caller }: Returned,
    id: string,
  ): Promise<Answer> {
    const { types } = this.context;
    const type = asked.shownIn === undefined ? asked : types.get(asked.singular);
    const authenticated = isAuthenticated(caller);
    const shape = {
      type,
      types,
      view,
      authenticated,
      include: [],
      fields: null,
      choices: noVisibilityParams,
      by: 'id',
      ruled: false,
    };
    const plan = recordPlan(this.context, shape);
    const row = await executor.first<{ body: string }>(plan.body.bind(new RequestBindings(caller, [id])));
    if (row === undefined) throw new Error(`The ${type.singular} ${id} that was just written is not there.`);
    return answerOf(row.body);
  }

  #linking(id: string, related: ReadonlyMap<Field, readonly string[]>): readonly Query[] {
    return [...related].flatMap(([field, ids]) => {
      const junction = junctionOf(field);
      return junction === undefined ? [] : this.statements.links.insert(junction, id, ids);
    });
  }

  /** What makes the links of relations inside structured fields those of the new values. */
  #linkingInside(type: ContentType, id: string, before: StoredRecord, { values }: RecordChanges): readonly Query[] {
    return type.facts.linking.length === 0 ? [] : this.statements.innerLinks.changes(type, id, before, values);
  }

  #indexing(type: ContentType, id: string, record: StoredRecord): readonly Query[] {
    const { columns, words } = wordsOf(type, record);
    return columns.length === 0 ? [] : this.context.database.dialect.search.index(type.table, columns, id, words);
  }
}

type StoredVersion = NonNullable<Extract<RecordChange, { kind: 'updated' }>['before']>;

/** Whether a record moves in its type's tree: all that stands below it moves along. */
function movesInTree(type: ContentType, current: StoredRecord, { values }: RecordChanges): boolean {
  const tree = type.facts.tree;
  const parent = tree === undefined ? undefined : type.field.get(tree.parent);
  return parent !== undefined && values.has(parent) && values.get(parent) !== current[parent.name];
}

/** Whether an update changes what the search index holds. */
const changesWords = (current: StoredRecord, { values }: RecordChanges): boolean =>
  [...values].some(([field, value]) => {
    if (!isSearched(field)) return false;
    const before = current[field.name] ?? null;
    const { structure } = field;
    return structure === undefined ? value !== before : !hasSameTexts(storedStructure(structure), value, before);
  });
