import type { SqlValue } from '../base/bindings.ts';
import { type Caller, isAuthenticated } from '../base/caller.ts';
import type { FieldFault } from '../base/problem.ts';
import type { Executor, Query, Transaction } from '../database/database.ts';
import { isSearched, searchedFields } from '../database/schema/searched-fields.ts';
import type { ContentType, Field } from '../definition/content-type.ts';
import type { FieldValue } from '../definition/field-type.ts';
import type {
  ActiveProtocol,
  ChangedValues,
  StoredRecord,
  StoredRecords,
  WriteMoment,
} from '../definition/protocol.ts';
import { treeOf } from '../definition/tree-columns.ts';
import type { ReadView } from '../query/read-view.ts';
import { noChoices } from '../query/row-choices.ts';
import { annotationsOf } from './annotations.ts';
import { type Answer, answerOf } from './answer.ts';
import type { RecordChanges } from './payload.ts';
import { recordPlan } from './record-plan.ts';
import { columnFields, decodeRow, RecordStatements, wordsOf } from './record-statements.ts';
import type { RecordsContext } from './records-context.ts';
import { RequestBindings } from './request-bindings.ts';
import { retentionOf } from './revisions/revision.ts';
import { type Links, revisionBody } from './revisions/revision-body.ts';
import { type Authorship, RevisionWriter } from './revisions/revision-writer.ts';
import { storedFaults, takenProblem } from './stored-checks.ts';
import { tenantOfChanges, tenantOfRecord } from './tenancy.ts';

/** A write of a record of a type, before its values are known. */
type TypeMoment = Omit<WriteMoment, 'changed'> & { readonly type: ContentType };

/**
 * A change that has been checked as far as it can be without what is stored; the rest is done within a transaction. `isLast`: in
 * which nothing else is done after it.
 */
export type Work<T> = (transaction: Transaction, isLast?: boolean) => Promise<T>;

/** What is to be told of a new record. */
interface NewRecordQuestion {
  readonly type: ContentType;
  readonly view: ReadView;
  readonly caller: Caller;
  /** Whether nothing else is done in its transaction. */
  readonly isLast: boolean;
}

/** What creating and updating share: storing values, relations and search words, and telling the result. */
export class RecordWriter {
  readonly context: RecordsContext;
  readonly statements: RecordStatements;
  readonly #revisions: RevisionWriter;

  constructor(context: RecordsContext) {
    this.context = context;
    this.statements = new RecordStatements(context);
    this.#revisions = new RevisionWriter(context);
  }

  /** Runs `work` in a transaction; a unique index that refuses is told as the taken field. */
  async transaction<T>(type: ContentType, work: Work<T>): Promise<T> {
    try {
      const { database, layouts } = this.context;
      if (layouts === undefined) return await database.transaction(work);
      return await database.transaction(async (transaction) => {
        // The work need not wait for it: all of it is undone where the tables have changed, whatever it fails of there.
        const [layout, done] = await Promise.allSettled([layouts.check(transaction, type), work(transaction)]);
        if (layout.status === 'rejected') throw layout.reason;
        if (done.status === 'rejected') throw done.reason;
        return done.value;
      });
    } catch (error) {
      throw takenProblem(this.context.database.dialect.fault(error), type) ?? error;
    }
  }

  /** Every fault of sound values that only what is stored can show. `references` says whether new ones may lead to what protocols hide. */
  async storedFaults(
    executor: Executor,
    moment: TypeMoment,
    current: StoredRecord | null,
    changes: RecordChanges,
    references: 'seen' | 'stored' = 'seen',
  ): Promise<readonly FieldFault[]> {
    const { type, id } = moment;
    const tenant = tenantOfChanges(type, changes, current);
    const pointing = { type, id, changes, tenant, ...(references === 'stored' ? {} : { current }) };
    const found = await storedFaults(executor, this.statements, this.context.types, pointing);
    return [...found, ...(await this.#protocolFaults(executor, moment, current, changes))];
  }

  /** Stores a new record. `authorship` is null for one that is brought in from elsewhere: its versions begin with its first change. */
  async insert(
    transaction: Transaction,
    type: ContentType,
    record: StoredRecord,
    changes: RecordChanges,
    authorship: Authorship | null,
  ): Promise<void> {
    const id = String(record.id);
    await transaction.runAll([
      this.statements.insert(type, record),
      ...this.#linking(id, changes.related),
      ...this.#indexing(type, id, record),
    ]);
    await this.#inserted(transaction, type, record, changes, authorship);
  }

  /** Stores a new record and tells it as the view does. */
  async insertAndTell(
    transaction: Transaction,
    { type, view, caller, isLast }: NewRecordQuestion,
    record: StoredRecord,
    changes: RecordChanges,
    authorship: Authorship,
  ): Promise<Answer> {
    const { insertAndTell } = this.context.database.dialect;
    const isLinked = [...changes.related.values()].some((ids) => ids.length > 0);
    if (insertAndTell === undefined || isLinked) {
      const inserted = this.insert(transaction, type, record, changes, authorship);
      // Read behind the insertion, without waiting until that is answered.
      const [, answer] = await Promise.all([inserted, this.tell(transaction, type, view, caller, String(record.id))]);
      return answer;
    }
    const statement = this.statements.insertAndTell(type, view, caller, record);
    const told =
      isLast && retentionOf(type) === undefined
        ? transaction.last<{ body: string }>(statement)
        : transaction.first<{ body: string }>(statement);
    const [row] = await Promise.all([told, this.#inserted(transaction, type, record, changes, authorship)]);
    if (row === undefined) throw new Error(`The new ${type.singular} was not told.`);
    return answerOf(row.body);
  }

  async #inserted(
    transaction: Transaction,
    type: ContentType,
    record: StoredRecord,
    changes: RecordChanges,
    authorship: Authorship | null,
  ): Promise<void> {
    transaction.touch(type.singular);
    if (authorship === null || retentionOf(type) === undefined) return;
    await this.#revisions.created(transaction, type, revisionBody(type, record, changes.related), authorship);
  }

  /** Stores changes of a record. `authorship` is null for what is no version of its own. */
  async update(
    transaction: Transaction,
    type: ContentType,
    current: StoredRecord,
    changes: RecordChanges,
    authorship: Authorship | null,
  ): Promise<void> {
    if (authorship === null || retentionOf(type) === undefined) {
      return this.#change(transaction, type, current, changes);
    }
    const links = await this.links(transaction, type, current);
    const before = revisionBody(type, current, links);
    await this.#change(transaction, type, current, changes);
    const stored = await this.#stored(transaction, type, tenantOfRecord(type, current)).find(String(current.id));
    if (stored === undefined) throw new Error(`The ${type.singular} ${current.id} that was just written is not there.`);
    const after = revisionBody(type, stored, new Map([...links, ...changes.related]));
    await this.#revisions.updated(transaction, type, [before, after], authorship);
  }

  /** Stores what is no content of a record, such as its draft: nothing that public routes tell depends on it. */
  async annotate(transaction: Transaction, type: ContentType, id: string, field: Field, value: FieldValue | null) {
    await transaction.run(this.statements.update(type, id, new Map([[field, value]])));
    transaction.touch(annotationsOf(type));
  }

  /** Removes a record's row, with its search words and its versions. */
  async remove(transaction: Transaction, type: ContentType, id: string): Promise<void> {
    if (searchedFields(type).length > 0) {
      for (const query of this.context.database.dialect.search.remove(type.table, id)) await transaction.run(query);
    }
    await this.#revisions.removed(transaction, type, id);
    await transaction.run(this.statements.remove(type, id));
    transaction.touch(type.singular);
  }

  async #change(
    transaction: Transaction,
    type: ContentType,
    current: StoredRecord,
    changes: RecordChanges,
  ): Promise<void> {
    const id = String(current.id);
    const isIndexed = [...changes.values.keys()].some(isSearched);
    await transaction.runAll([
      ...(changes.values.size > 0 ? [this.statements.update(type, id, changes.values)] : []),
      ...this.#settlingDepth(type, current, changes),
      ...[...changes.related.keys()].flatMap(({ place }) =>
        place.shape === 'to_many' ? [this.statements.unlink(place.junction, id)] : [],
      ),
      ...this.#linking(id, changes.related),
      ...(isIndexed ? this.#indexing(type, id, { ...current, ...Object.fromEntries(named(changes.values)) }) : []),
    ]);
    transaction.touch(type.singular);
  }

  /** The stored ids of all of a record's relations to many. */
  async links(transaction: Transaction, type: ContentType, { id }: StoredRecord): Promise<Links> {
    const links = new Map<Field, readonly string[]>();
    for (const field of type.fields) {
      if (field.place.shape !== 'to_many') continue;
      const rows = await transaction.rows<{ id: string }>(this.statements.links(field.place.junction, String(id)));
      links.set(
        field,
        rows.map((row) => row.id),
      );
    }
    return links;
  }

  /** The stored ids of those immutable relations to many that a payload names. */
  async linked(
    transaction: Transaction,
    current: StoredRecord,
    sent: RecordChanges,
  ): Promise<ReadonlyMap<Field, readonly string[]>> {
    const stored = new Map<Field, readonly string[]>();
    for (const field of sent.related.keys()) {
      if (!field.immutable || field.place.shape !== 'to_many') continue;
      const rows = await transaction.rows<{ id: string }>(
        this.statements.links(field.place.junction, String(current.id)),
      );
      stored.set(
        field,
        rows.map(({ id }) => id),
      );
    }
    return stored;
  }

  /** The record as the view tells it, read within the transaction that wrote it. */
  async tell(transaction: Transaction, type: ContentType, view: ReadView, caller: Caller, id: string): Promise<Answer> {
    const { types } = this.context;
    const authenticated = isAuthenticated(caller);
    const shape = { type, types, view, authenticated, include: [], choices: noChoices, by: 'id', ruled: false };
    const plan = recordPlan(this.context, shape);
    const row = await transaction.first<{ body: string }>(plan.body.bind(new RequestBindings(caller, [id])));
    if (row === undefined) throw new Error(`The ${type.singular} ${id} that was just written is not there.`);
    return answerOf(row.body);
  }

  /** Adds what protocols give a new record by what is stored. */
  async placeNew(transaction: Transaction, moment: TypeMoment, changes: RecordChanges): Promise<void> {
    const stored = this.#stored(transaction, moment.type, tenantOfChanges(moment.type, changes, null));
    for (const { protocol, options } of moment.type.protocols) {
      if (protocol.placeNew === undefined) continue;
      const changed = Object.fromEntries(named(changes.values));
      applyValues(moment.type, changes, await protocol.placeNew({ ...moment, changed }, stored, options));
    }
  }

  /** A record that moved takes all that stands below it along. */
  #settlingDepth(type: ContentType, current: StoredRecord, changes: RecordChanges): readonly Query[] {
    const tree = treeOf(type);
    const parent = tree === undefined ? undefined : type.field.get(tree.parent);
    if (tree === undefined || parent === undefined || !changes.values.has(parent)) return [];
    if (changes.values.get(parent) === current[parent.name]) return [];
    return [this.statements.depth(type, tree, String(current.id))];
  }

  #stored(executor: Executor, type: ContentType, tenant: string | null): StoredRecords {
    const { dialect } = this.context.database;
    return {
      find: async (id) => {
        const row = await executor.first<Record<string, SqlValue>>(this.statements.row(type, id));
        const record = row === undefined ? undefined : decodeRow(type, row, dialect);
        const isOthers = record !== undefined && type.partition !== null && tenantOfRecord(type, record) !== tenant;
        return isOthers ? undefined : record;
      },
      greatest: async (column) => {
        const row = await executor.first<{ greatest: SqlValue }>(this.statements.greatest(type, column, tenant));
        return row === undefined || row.greatest === null ? undefined : Number(row.greatest);
      },
      below: async (parent, id, other) => {
        const statement = this.statements.below(type, parent, id, other);
        const row = await executor.first<{ levels: SqlValue; includes: SqlValue }>(statement);
        return { includes: Number(row?.includes ?? 0) === 1, levels: Number(row?.levels ?? 0) };
      },
    };
  }

  async #protocolFaults(
    executor: Executor,
    moment: TypeMoment,
    current: StoredRecord | null,
    changes: RecordChanges,
  ): Promise<readonly FieldFault[]> {
    const stored = this.#stored(executor, moment.type, tenantOfChanges(moment.type, changes, current));
    const changed = Object.fromEntries(named(changes.values));
    const faults: FieldFault[] = [];
    for (const { protocol, options } of moment.type.protocols) {
      faults.push(...((await protocol.storedFaults?.({ ...moment, changed }, current, stored, options)) ?? []));
    }
    return faults;
  }

  #linking(id: string, related: ReadonlyMap<Field, readonly string[]>): readonly Query[] {
    return [...related].flatMap(([{ place }, ids]) =>
      place.shape === 'to_many'
        ? ids.map((target, position) => this.statements.link(place.junction, id, target, position))
        : [],
    );
  }

  #indexing(type: ContentType, id: string, record: StoredRecord): readonly Query[] {
    const { columns, words } = wordsOf(type, record);
    return columns.length === 0 ? [] : this.context.database.dialect.search.index(type.table, columns, id, words);
  }
}

function* named(values: ReadonlyMap<Field, FieldValue | null>): Generator<[string, FieldValue | null]> {
  for (const [field, value] of values) yield [field.name, value];
}

/** Puts the values that each protocol decides over those that were sent, and over those of the protocols before it. */
export function applyProtocols(
  type: ContentType,
  changes: RecordChanges,
  decide: (active: ActiveProtocol, changed: ChangedValues) => ChangedValues | undefined,
): void {
  for (const active of type.protocols) {
    const changed = Object.fromEntries(named(changes.values));
    applyValues(type, changes, decide(active, changed) ?? {});
  }
}

/** Puts values over those that are there. */
export function applyValues(type: ContentType, changes: RecordChanges, values: ChangedValues): void {
  for (const [name, value] of Object.entries(values)) {
    const field = type.field.get(name);
    if (field !== undefined) changes.values.set(field, value);
  }
}

/** A whole record of a type: the id, the changes, and null for every other column. */
export function wholeRecord(type: ContentType, id: string, changes: RecordChanges): StoredRecord {
  const record: Record<string, FieldValue | null> = {};
  for (const { name } of columnFields(type)) record[name] = null;
  return { ...record, ...Object.fromEntries(named(changes.values)), id };
}
