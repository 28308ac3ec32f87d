import type { SqlValue } from '../base/bindings.ts';
import type { CacheStats } from '../base/cache.ts';
import { type Caller, tenantAsked } from '../base/caller.ts';
import type { MaybePromise } from '../base/maybe-promise.ts';
import { notFound, Problem } from '../base/problem.ts';
import type { Database, Executor, Transaction } from '../database/database.ts';
import { withDialect } from '../database/database-with-dialect.ts';
import type { Dialect } from '../database/dialect.ts';
import { transactionDatabase } from '../database/transaction-database.ts';
import type { ContentType, ContentTypes, Field } from '../definition/content-type.ts';
import { type ReadLanguage, readLanguage } from '../definition/languages/read-language.ts';
import type { StoredRecord } from '../definition/protocol.ts';
import { viewFor } from '../definition/rights/read-view.ts';
import type { ListLimits } from '../query/list-query.ts';
import type { Paging } from '../query/query-text.ts';
import { readRecordQuery } from '../query/record-query.ts';
import { RecordAggregator } from './aggregates/record-aggregator.ts';
import { type Answer, type AnswerBudget, answerOf, defaultBudget } from './answers/answer.ts';
import { AnswerCache } from './answers/answer-cache.ts';
import type { CursorSealer } from './answers/cursor-sealer.ts';
import { freeSlugLike } from './checks/slugs.ts';
import { type DraftUse, draftUses } from './drafts/draft-uses.ts';
import type { HeldChanges } from './drafts/held-changes.ts';
import { previewDraft } from './drafts/preview-draft.ts';
import {
  type DraftRequest,
  prepareDiscard,
  prepareDraft,
  preparePublication,
  preparePublications,
} from './drafts/write-draft.ts';
import { ElementSpellings } from './list/element-spellings.ts';
import { type ListedRecord, listPages } from './list/list-pages.ts';
import { RecordLister } from './list/list-records.ts';
import type { PlannedChanges } from './planned-changes.ts';
import { requireAccess, ruleParameters } from './plans/access.ts';
import type { OneRecord } from './plans/one-record.ts';
import { PlanCache, RequestBindings } from './plans/plan.ts';
import type { SchemaVersionGuard } from './plans/schema-version-guard.ts';
import { dialectAt, type KnowsUpdate } from './plans/tables-at.ts';
import type { Projection } from './projected/projection.ts';
import { publishForReads, type ShownAsPublished } from './projected/publish-for-reads.ts';
import { unpublishedIds, type WantedUnpublished } from './projected/unpublished-ids.ts';
import type { DeadLinks } from './read/dead-links.ts';
import type { FormerSlug, MovedRequest, SomeFormerSlugs } from './read/former-slugs.ts';
import type { SiteAddresses } from './read/html-links.ts';
import { languageStates, type StatesRequest } from './read/language-states.ts';
import type { LinkingRecord } from './read/links-to-record.ts';
import type { AccessRequest, RecordAccess } from './read/record-access.ts';
import { type GetRequest, RecordReader } from './read/record-reader.ts';
import { recordUsage, type UsageRequest } from './read/record-usage.ts';
import type { JsonRecord } from './read/references.ts';
import { VisibleRecords } from './read/visible-records.ts';
import { type WalkRequest, walkTree } from './read/walk-tree.ts';
import { RevisionReader } from './revisions/revision-reader.ts';
import type { Authorship } from './revisions/revision-writer.ts';
import { contextInLanguage } from './select/context-in-language.ts';
import { decodeRow } from './statements/record-statements.ts';
import type { ChangeLog } from './write/change-log.ts';
import { type Created, prepareCreate } from './write/create-record.ts';
import { prepareDelete, prepareDeletes, type Removed, releaseReferences } from './write/delete-record.ts';
import type { PreparedWrite } from './write/prepared-write.ts';
import { RecordWriter } from './write/record-writer.ts';
import { type LanguageRemoval, prepareLanguageRemoval } from './write/remove-language.ts';
import { prepareRestore, type RestoreRequest } from './write/restore-revision.ts';
import { ensureSingle, hasSingle } from './write/single-record.ts';
import { type PreparedUpdates, prepareUpdate, prepareUpdates, requireUpdate } from './write/update-record.ts';
import type { WriteContext } from './write/write-context.ts';
import type { HooksOfType } from './write/write-hooks.ts';
import type { CreateRequest, DeleteRequest, UpdateRecordRequest } from './write/write-request.ts';

export interface RecordsOptions {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly limits: ListLimits;
  readonly answers: Pick<AnswerCache, 'look'>;
  /** Default: that of the settings. */
  readonly budget?: AnswerBudget;
  readonly cursors: CursorSealer;
  /** Where changes of records are logged; absent: nowhere. */
  readonly changes?: ChangeLog;
  /** For a service whose definitions can change while it runs. */
  readonly layouts?: SchemaVersionGuard;
  /** Code of a deployment that takes part in writes. */
  readonly hooks?: HooksOfType;
  /** The one record that lists and reads show; absent: all. */
  readonly only?: OneRecord;
}

export type RecordsStats = Readonly<Record<'plans' | 'lists' | 'totals' | 'gets', CacheStats>>;

/**
 * Everything that can be asked of the records of one set of content types. Each call checks the endpoint's access level
 * (admin views are checked by their routes), then runs a plan. Throws or rejects with `Problem`s.
 */
export class Records {
  readonly #context: WriteContext;
  readonly #cursors: CursorSealer;
  readonly #lister: RecordLister;
  readonly #aggregator: RecordAggregator;
  readonly #reader: RecordReader;
  readonly #writer: RecordWriter;
  /** In the default language. */
  readonly #base: Records;
  readonly #inLanguages = new Map<string, Records>();
  readonly revisions: RevisionReader;
  /** Records as `get` shows them, several at once. */
  readonly visible: VisibleRecords;
  /** What changes records at times besides their own schedules. Set by the feature that does so; absent: nothing. */
  planned: PlannedChanges | undefined;

  constructor(options: RecordsOptions, plans = new PlanCache(), base?: Records) {
    const { cursors, ...rest } = options;
    this.#base = base ?? this;
    this.#context = { budget: defaultBudget, ...rest, plans };
    this.#cursors = cursors;
    const spellings = new ElementSpellings(this.#context);
    this.#lister = new RecordLister(this.#context, cursors, spellings);
    this.#aggregator = new RecordAggregator(this.#context, spellings);
    this.#reader = new RecordReader(this.#context);
    this.#writer = new RecordWriter(this.#context);
    this.visible = new VisibleRecords(this.#context);
    this.revisions = new RevisionReader(this.#context, {
      get: async (request) => this.get(request),
      ruled: async (asked) => (await import('./write/ruled-revisions.ts')).ruledRevisions(this.#context, asked),
    });
  }

  get database(): Database {
    return this.#context.database;
  }

  get types(): ContentTypes {
    return this.#context.types;
  }

  get limits(): ListLimits {
    return this.#context.limits;
  }

  get budget(): AnswerBudget {
    return this.#context.budget;
  }

  /** A feature's own plan, built when it is first asked for. The key's first part is the feature's alone. */
  plan<P extends object>(key: string, build: (types: ContentTypes, dialect: Dialect, budget: AnswerBudget) => P): P {
    const { plans, types, database, budget } = this.#context;
    return plans.get(key, () => build(types, database.dialect, budget));
  }

  /** A feature's own answer, remembered until a record behind one of the names changes. */
  remembered(key: string, names: readonly string[], make: () => MaybePromise<Answer>): MaybePromise<Answer> {
    return this.#context.answers.look(key, names, make);
  }

  /** A record's own columns, without checking access. */
  async find(executor: Executor, type: ContentType, id: string): Promise<StoredRecord | undefined> {
    const row = await executor.first<Record<string, SqlValue>>(this.#writer.statements.row(type, id));
    return row === undefined ? undefined : decodeRow(type, row, this.database.dialect);
  }

  /** The records whose drafts refer to one, for editors and admins. */
  draftUses(request: UsageRequest): Promise<readonly DraftUse[]> {
    return draftUses(this.#context, request);
  }

  /** What is remembered so that requests need not be read and planned each time; callers choose how many there are. */
  get stats(): RecordsStats {
    const { prepared, totals } = this.#lister.stats;
    return { plans: this.#context.plans.stats, lists: prepared, totals, gets: this.#reader.stats };
  }

  list(type: ContentType, view: 'list' | 'admin', caller: Caller, search: string): MaybePromise<Answer> {
    if (view !== 'admin') requireAccess(type.endpoints.list.access, caller);
    if (type.kind !== 'single') return this.#lister.list(type, viewFor(view, caller, this.types), caller, search);
    return ensureSingle(this.#writer, type, caller).then(() =>
      this.#lister.list(type, viewFor(view, caller, this.types), caller, search),
    );
  }

  /** Whether the one record of a single type has been made, which the first who asks for it does. */
  hasSingle(type: ContentType, caller: Caller): Promise<boolean> {
    return hasSingle(this.#writer, type, caller);
  }

  /** All records of a list, a page at a time; each page is read when it is asked for, and none is remembered. */
  async pages(
    type: ContentType,
    view: 'list' | 'admin',
    caller: Caller,
    search: string,
  ): Promise<AsyncGenerator<readonly ListedRecord[], void, undefined>> {
    if (view !== 'admin') requireAccess(type.endpoints.list.access, caller);
    if (type.kind === 'single') await ensureSingle(this.#writer, type, caller);
    return listPages(
      async (page, size) => this.#lister.page(type, viewFor(view, caller, this.types), caller, page, size),
      search,
    );
  }

  /** Counts, sums and the like over the records of the list that this caller gets. */
  async aggregate(type: ContentType, view: 'list' | 'admin', caller: Caller, search: string): Promise<Answer> {
    if (view !== 'admin') requireAccess(type.endpoints.list.access, caller);
    return this.#aggregator.aggregate(type, viewFor(view, caller, this.types), caller, search);
  }

  get(request: GetRequest): MaybePromise<Answer> {
    const { type, view, caller } = request;
    if (view !== 'admin') requireAccess(type.endpoints.get.access, caller);
    return request.id === null ? this.#getSingle(request) : this.#reader.get(request);
  }

  /** The slug that a record has now which was visible by another one, if `get` shows the caller that record. Access has been checked. */
  async movedTo(request: MovedRequest): Promise<string | undefined> {
    return (await import('./read/former-slugs.ts')).movedTo(this.#context, request);
  }

  /** What a record is in each language, for editors and admins; 404 where the caller may not get it. */
  async languageStates(request: StatesRequest): Promise<Answer> {
    await this.get({ ...request, view: 'admin', search: 'fields=id' });
    const items = await languageStates(this.#context, this.#writer.statements, this.database, request);
    return answerOf(JSON.stringify({ items }));
  }

  /** How many former slugs of a type lead to a record that `get` shows the caller. */
  async countFormerSlugs(type: ContentType, caller: Caller): Promise<number> {
    return (await import('./read/former-slugs.ts')).countFormerSlugs(this.#context, type, caller);
  }

  /** Some of these, in their order. */
  async listFormerSlugs(type: ContentType, caller: Caller, some: SomeFormerSlugs): Promise<readonly FormerSlug[]> {
    return (await import('./read/former-slugs.ts')).listFormerSlugs(this.#context, type, caller, some);
  }

  /** The records that refer to one, for editors and admins; 404 where they do not find it. */
  async usage(request: UsageRequest, paging: Paging): Promise<Answer> {
    const { type, id, caller } = request;
    await this.get({ type, view: 'admin', caller, id, search: '' });
    return recordUsage(this.#context, request, paging);
  }

  /** The records whose texts link to one, for editors and admins; 404 where they do not find it. */
  async linksTo(
    request: UsageRequest,
    site: SiteAddresses,
    slugField: Field | undefined,
  ): Promise<readonly LinkingRecord[]> {
    const { type, id, caller } = request;
    const { body } = await this.get({ type, view: 'admin', caller, id, search: '' });
    // A record as JSON, with what the caller reads of it.
    const record = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as JsonRecord;
    const slug = record[slugField?.name ?? ''];
    const { linksToRecord } = await import('./read/links-to-record.ts');
    return linksToRecord(this.#context, { ...request, slug: typeof slug === 'string' ? slug : null }, site);
  }

  /** A part of the links in texts that lead nowhere, for editors and admins. */
  async deadLinks(caller: Caller, site: SiteAddresses, after: string | null): Promise<DeadLinks> {
    return (await import('./read/dead-links.ts')).deadLinks(this.#context, caller, site, after);
  }

  /** What somebody may do with a record on the admin routes, and why; 404 where the caller does not find it. */
  async access(request: AccessRequest & { readonly caller: Caller }): Promise<RecordAccess> {
    const { type, id, caller } = request;
    await this.get({ type, view: 'admin', caller, id, search: '' });
    const { recordAccess } = await import('./read/record-access.ts');
    return recordAccess(this.#context, request);
  }

  /** The records above or below one, of a type whose records form a tree. */
  async walk(request: WalkRequest): Promise<Answer> {
    if (request.view !== 'admin') requireAccess(request.type.endpoints.get.access, request.caller);
    // Nothing is above or below the one record that is shown.
    if (this.#context.only !== undefined) throw notFound();
    return walkTree(this.#context, request);
  }

  async create(request: CreateRequest): Promise<Created> {
    return this.runInTransaction(await this.prepareCreate(request));
  }

  async update(request: UpdateRecordRequest): Promise<Answer> {
    return this.runInTransaction(await this.prepareUpdate(request));
  }

  async delete(request: DeleteRequest): Promise<void> {
    return this.runInTransaction(await this.prepareDelete(request));
  }

  async prepareCreate(request: CreateRequest): Promise<PreparedWrite<Created>> {
    if (!request.admin) requireAccess(request.type.endpoints.create.access, request.caller);
    return prepareCreate(this.#writer, request);
  }

  async prepareUpdate(request: UpdateRecordRequest): Promise<PreparedWrite<Answer>> {
    if (!request.admin) requireAccess(request.type.endpoints.update.access, request.caller);
    return prepareUpdate(this.#writer, request);
  }

  /** Throws for a caller who may not change the record: 401, 403, 404. */
  async requireUpdate(request: Pick<UpdateRecordRequest, 'type' | 'admin' | 'caller' | 'id'>): Promise<void> {
    if (!request.admin) requireAccess(request.type.endpoints.update.access, request.caller);
    await requireUpdate(this.#writer, request);
  }

  /** An update of several records. */
  async prepareUpdates(request: Omit<UpdateRecordRequest, 'id'>): Promise<PreparedUpdates> {
    if (!request.admin) requireAccess(request.type.endpoints.update.access, request.caller);
    return prepareUpdates(this.#writer, request);
  }

  /** The removal of what a record says in the language of these records. */
  prepareLanguageRemoval(request: LanguageRemoval): PreparedWrite<Answer> {
    if (!request.admin) requireAccess(request.type.endpoints.update.access, request.caller);
    return prepareLanguageRemoval(this.#writer, request);
  }

  async prepareDelete(request: DeleteRequest): Promise<PreparedWrite<void>> {
    if (!request.admin) requireAccess(request.type.endpoints.delete.access, request.caller);
    return prepareDelete(this.#writer, request);
  }

  /** The removal of several records. */
  async prepareDeletes(request: Omit<DeleteRequest, 'id'>): Promise<(id: string) => PreparedWrite<void>> {
    if (!request.admin) requireAccess(request.type.endpoints.delete.access, request.caller);
    return prepareDeletes(this.#writer, request);
  }

  /** An ordinary update that brings a version of a record back, for editors and admins. */
  prepareRestore(request: RestoreRequest): Promise<PreparedWrite<Answer>> {
    return prepareRestore(this.#writer, this.revisions, request);
  }

  /** Changes of a record's draft. */
  prepareDraft(request: DraftRequest): PreparedWrite<Answer> {
    return prepareDraft(this.#writer, request);
  }

  /** The publication of a record or of its draft. */
  preparePublication(request: DraftRequest): PreparedWrite<Answer> {
    return preparePublication(this.#writer, request);
  }

  /** The publication of a record, or of its drafts, in all languages. */
  preparePublications(request: DraftRequest): PreparedWrite<Answer> {
    return preparePublications(this.#writers, request);
  }

  /** A slug, or the first like it that no record of the caller's tenant has; see `freeSlugLike`. */
  freeSlug(type: ContentType, field: Field, slug: string, caller: Caller): Promise<string> {
    const tenant = type.partition === null ? null : tenantAsked(caller);
    const like = this.#writer.statements.slugsSeenBy(new RequestBindings(caller, []), type, field, slug, tenant);
    return freeSlugLike(this.database, type, slug, like);
  }

  /** The end of a record's draft. */
  prepareDiscard(request: DraftRequest): PreparedWrite<void> {
    return prepareDiscard(this.#writer, request);
  }

  /** Changes of records that wait in a release. */
  async heldChanges(): Promise<HeldChanges> {
    const { HeldChanges } = await import('./drafts/held-changes.ts');
    return new HeldChanges(this.#writer);
  }

  /** A record as its draft would make it, or as it is where there is none. For editors and admins. */
  async preview(request: Omit<GetRequest, 'view'>): Promise<Answer> {
    const { type, caller, search } = request;
    const { types } = this;
    const view = viewFor('admin', caller, types);
    const { include, fields } = readRecordQuery(
      search,
      { type, types, view },
      ruleParameters(type, view, 'get'),
      'read',
    );
    // Of the whole record, because its draft is a part of it.
    const whole = new URLSearchParams(search);
    whole.delete('fields');
    const answer = await this.get({ ...request, view: 'admin', search: whole.toString() });
    return previewDraft(type, answer, { context: this.#context, caller, include, fields });
  }

  /** The records as a language shows them, or in the default language. To be asked with its own types alone. */
  inLanguage(read: ReadLanguage | undefined): Records {
    if (this.#base !== this) return this.#base.inLanguage(read);
    if (read === undefined) return this;
    const known = this.#inLanguages.get(read.key);
    if (known !== undefined) return known;
    const { plans, ...context } = contextInLanguage(this.#context, read);
    const made = new Records({ ...context, cursors: this.#cursors }, plans, this);
    this.#inLanguages.set(read.key, made);
    return made;
  }

  /**
   * The records as they will stand at a time (canonical datetime) by their own schedules, as far as `knows` says. To be read alone, by callers
   * with the same `at`; see `readAt`.
   */
  at(time: string, knows: KnowsUpdate): Records {
    const { plans: _, hooks: __, ...context } = this.#context;
    const database = withDialect(context.database, dialectAt(context.database.dialect, this.types, time, knows));
    const answers = new AnswerCache(database.generations, { maxBytes: 0, ttlSeconds: 0 });
    return new Records({ ...context, database, answers, cursors: this.#cursors });
  }

  /** The records as a running transaction sees them. What is written through it is part of the transaction, and runs these hooks. */
  within(transaction: Transaction, hooks: HooksOfType | undefined): Records {
    const database = transactionDatabase(this.database, transaction);
    const answers = new AnswerCache(database.generations, { maxBytes: 0, ttlSeconds: 0 });
    const { plans, hooks: _, ...context } = this.#context;
    const own = { ...context, database, answers, cursors: this.#cursors, ...(hooks === undefined ? {} : { hooks }) };
    return new Records(own, plans);
  }

  /**
   * Runs reads that see records as a projection has them. What it changes, the reads see in one transaction, which is rolled back: they are
   * neither answered from a cache nor remembered.
   */
  async projected<T>({ only, change }: Projection<Records>, read: (records: Records) => MaybePromise<T>): Promise<T> {
    const { database } = this.#base;
    if (change === undefined) return read(this.#base.#unlogged(database, only));
    let result: { readonly value: T } | undefined;
    const undone = async (transaction: Transaction): Promise<never> => {
      const records = this.#base.#unlogged(transactionDatabase(database, transaction), only);
      await change(transaction, records);
      result = { value: await read(records) };
      throw new Rehearsed();
    };
    await database.transaction(undone).catch((error) => {
      if (!(error instanceof Rehearsed)) throw error;
    });
    if (result === undefined) throw new Error('The reads of a projection have not run.');
    return result.value;
  }

  /** Makes a record what publishing it would make of it, for the reads of `projected`. */
  publishForReads(transaction: Transaction, shown: ShownAsPublished): Promise<void> {
    return publishForReads(this.#writers, transaction, shown);
  }

  /** The newest records of a type that wait to be published, of those that a caller may change. */
  unpublishedIds(transaction: Transaction, wanted: WantedUnpublished): Promise<readonly string[]> {
    return unpublishedIds(this.#writers, transaction, wanted);
  }

  /** Without hooks, a log, or anything that is remembered. */
  #unlogged(database: Database, only: OneRecord | undefined): Records {
    const answers = new AnswerCache(database.generations, { maxBytes: 0, ttlSeconds: 0 });
    const { plans: _, hooks: __, changes: ___, ...context } = this.#context;
    const own = { ...context, database, answers, cursors: this.#cursors, ...(only === undefined ? {} : { only }) };
    const records = new Records(own);
    records.planned = this.planned;
    return records;
  }

  /** Those of all languages, the default first. */
  get #writers(): readonly [RecordWriter, ...RecordWriter[]] {
    const { languages } = this.types;
    const others = languages.others.map((language) =>
      this.inLanguage(readLanguage(languages, language, false, 'admin')),
    );
    return [this.#writer, ...others.map((records) => records.#writer)];
  }

  /** Makes a prepared write, all of it or nothing. Resolves after the commit. */
  runInTransaction<T>(write: PreparedWrite<T>): Promise<T> {
    return this.#writer.runInTransaction(write);
  }

  /** Sees to the records that point to what another part of the service is about to remove, such as an account; see `releaseReferences`. */
  releaseReferences(transaction: Transaction, removed: Removed, authorship: Authorship): Promise<() => void> {
    return releaseReferences(this.#writer, transaction, removed, authorship);
  }

  /** Does everything that `runInTransaction` does, and stores nothing. */
  async rehearse<T>({ run, ...write }: PreparedWrite<T>): Promise<T> {
    const rehearsed = Promise.withResolvers<T>();
    const undone = async (transaction: Transaction): Promise<never> => {
      rehearsed.resolve(await run(transaction));
      throw new Rehearsed();
    };
    await this.runInTransaction({ ...write, run: undone }).catch((error) => {
      if (!(error instanceof Rehearsed)) throw error;
    });
    return rehearsed.promise;
  }

  /** The record is made at the first request (service specification, section 4.4). */
  async #getSingle(request: GetRequest): Promise<Answer> {
    try {
      return await this.#reader.get(request);
    } catch (error) {
      const missing = error instanceof Problem && error.status === 404;
      if (!missing || !(await ensureSingle(this.#writer, request.type, request.caller))) throw error;
      // Also where another request has made it meanwhile.
      return this.#reader.get(request);
    }
  }
}

/** Takes back a transaction that was a rehearsal. */
class Rehearsed extends Error {}
