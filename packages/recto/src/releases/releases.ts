import { type AuthenticatedCaller, callerId, system, tenantAsked } from '../base/caller.ts';
import { newId } from '../base/ids.ts';
import { conflict, type FieldFault, forbidden, invalid, notFound, Problem } from '../base/problem.ts';
import type { Transaction } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import { adminView, rightsOf } from '../definition/rights/read-view.ts';
import { logOtherChange } from '../events/event-writer.ts';
import type { HeldChanges, HeldValues } from '../records/drafts/held-changes.ts';
import type { Records } from '../records/records.ts';
import type { ChangeAction } from '../records/write/change-log.ts';
import type { PreparedWrite } from '../records/write/prepared-write.ts';
import { inverseOf } from './inverse-items.ts';
import { isReleasable, itemActionsOf, sharesState } from './item-action.ts';
import { type InItemLanguage, inItemLanguage } from './item-language.ts';
import {
  type Failure,
  type ItemAction,
  mostItems,
  type Release,
  type ReleaseItem,
  type ReleaseProblem,
  statusAt,
} from './release.ts';
import { notPublished } from './release-problems.ts';
import { type PreparedRun, prepareRun } from './release-run.ts';
import { hiddenProblem, ReleaseSight } from './release-sight.ts';
import type { ReleaseStore } from './release-store.ts';

/** The type of events of releases. No content type has such a name. */
export const releaseEvents = 'recto:release';

export interface ReleasesParts {
  readonly records: Records;
  readonly store: ReleaseStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What people set of a release. */
export type ReleaseInput = Pick<Release, 'name' | 'description' | 'scheduledAt' | 'timeZone'>;

/** A record in a release; of one that begins with it, the id of its item. */
export interface ItemPlace {
  readonly id: string;
  readonly type: ContentType;
  readonly record: string;
  /** The tag of the language that the item is about; null: the default one. */
  readonly language: string | null;
}

/** What is to become of a record, as it was sent. */
export interface ItemInput {
  readonly action: ItemAction;
  readonly changes: Readonly<Record<string, unknown>>;
}

/** What people do with releases of one set of content types. */
export class Releases {
  readonly #records: Records;
  readonly #store: ReleaseStore;
  readonly #now: () => number;

  constructor({ records, store, now }: ReleasesParts) {
    this.#records = records;
    this.#store = store;
    this.#now = now;
  }

  sight(caller: AuthenticatedCaller): ReleaseSight {
    return new ReleaseSight(this.#records, caller);
  }

  /** A release of the caller's tenant; 404 for any other. */
  async get(caller: AuthenticatedCaller, id: string, transaction?: Transaction): Promise<Release> {
    const release = await this.#store.get(id, transaction);
    if (release === undefined || release.tenant !== tenantAsked(caller)) throw notFound('There is no such release.');
    return release;
  }

  /** The items that the caller sees, and whether there are others. */
  async itemsFor(caller: AuthenticatedCaller, id: string) {
    const items = await this.#store.items(id);
    const visible = await this.sight(caller).visible(items);
    return { items: visible, all: items, hidesSome: visible.length < items.length };
  }

  async create(transaction: Transaction, caller: AuthenticatedCaller, input: ReleaseInput): Promise<Release> {
    const release = this.#begun(caller, input);
    await this.#store.insert(transaction, release);
    this.#log(transaction, caller, release, 'create');
    return release;
  }

  #begun(caller: AuthenticatedCaller, input: ReleaseInput): Release {
    const now = this.#now();
    return {
      ...input,
      id: newId(),
      status: 'open',
      scheduledBy: null,
      failure: null,
      reverts: null,
      tenant: tenantAsked(caller),
      version: 1,
      createdBy: callerId(caller),
      createdAt: now,
      updatedAt: now,
      publishedAt: null,
      publishedBy: null,
    };
  }

  /** `known`: the time that the release has as the caller knows; 409 where it has another one. */
  async update(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    id: string,
    input: Partial<ReleaseInput>,
    known?: string | null,
  ): Promise<Release> {
    const release = await this.get(caller, id, transaction);
    if (known !== undefined && known !== release.scheduledAt) throw changedMeanwhile();
    if (input.scheduledAt !== undefined || input.timeZone !== undefined) this.#requireOpen(release);
    const changed = Object.keys(input).map((name) => apiNames[name] ?? name);
    return this.#change(transaction, caller, release, { ...input }, changed);
  }

  async remove(transaction: Transaction, caller: AuthenticatedCaller, id: string): Promise<void> {
    const release = await this.get(caller, id, transaction);
    if (release.status === 'scheduled') this.#requireOpen(release);
    await this.#store.remove(transaction, id);
    this.#log(transaction, caller, release, 'delete');
  }

  /** Puts a record into a release, or something else in its place: what its item holds, no other release has. */
  async preparePutItem(
    caller: AuthenticatedCaller,
    place: ItemPlace,
    input: ItemInput,
  ): Promise<PreparedWrite<ReleaseItem>> {
    const { type } = place;
    const spoken = this.#spoken(caller, place);
    const held = await spoken.records.heldChanges();
    const run = (transaction: Transaction) => this.#putItem(transaction, { ...spoken, held }, caller, place, input);
    return { type, view: adminView(rightsOf(caller, this.#records.types.roles)), run };
  }

  async #putItem(
    transaction: Transaction,
    { type, held, caller: speaker }: InItemLanguage & { readonly held: HeldChanges },
    caller: AuthenticatedCaller,
    { id, record, language }: ItemPlace,
    { action, changes }: ItemInput,
  ): Promise<ReleaseItem> {
    const release = await this.get(caller, id, transaction);
    this.#requireOpen(release);
    requireAction(type, action, changes);
    const of = { release: id, type: type.singular, language };
    const before = await this.#store.item(transaction, { ...of, id: record });
    const fresh = { ...of, action, addedBy: callerId(caller), addedAt: this.#now(), kept: null, made: null };
    let item: ReleaseItem;
    if (before !== undefined && before.record === null) {
      if (!(await this.#sees(transaction, caller, before))) throw notFound();
      if (action !== 'publish') throw invalid([onlyPublish]);
      item = {
        ...fresh,
        id: before.id,
        record: null,
        changes: held.holdNew(type, caller, changes, before.changes),
        base: {},
      };
    } else {
      if (
        language !== null &&
        (await this.#store.item(transaction, { ...of, language: null, id: record }))?.record === null
      )
        throw invalid([newHasOne]);
      // What a language says is taken away by an update of the record.
      const does = action !== 'delete' ? 'publish' : type.shownIn === undefined ? 'delete' : 'update';
      const asked = { type, caller: speaker, id: record, does, payload: changes, before: before ?? nothing } as const;
      item = { ...fresh, id: before?.id ?? newId(), record, ...(await held.hold(transaction, asked)) };
    }
    if (before === undefined) await this.#insertItem(transaction, item);
    else await this.#store.replaceItem(transaction, item);
    await this.#change(transaction, caller, release, {}, ['items']);
    return item;
  }

  /** Puts a record into a release that begins with it. */
  async prepareNewItem(
    caller: AuthenticatedCaller,
    { id, type }: Pick<ItemPlace, 'id' | 'type'>,
    values: Readonly<Record<string, unknown>>,
  ): Promise<PreparedWrite<ReleaseItem>> {
    if (type.kind !== 'collection') throw invalid([noNew]);
    requireAction(type, 'publish', {});
    const changes = (await this.#records.heldChanges()).holdNew(type, caller, values, {});
    const run = (transaction: Transaction) => this.#addItem(transaction, caller, { id, type }, changes);
    return { type, run };
  }

  async #addItem(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    { id, type }: Pick<ItemPlace, 'id' | 'type'>,
    changes: HeldValues,
  ): Promise<ReleaseItem> {
    const release = await this.get(caller, id, transaction);
    this.#requireOpen(release);
    const item: ReleaseItem = {
      ...{ id: newId(), release: id, type: type.singular, record: null, language: null },
      ...{ action: 'publish', changes, base: {} },
      ...{ kept: null, made: null, addedBy: callerId(caller), addedAt: this.#now() },
    };
    await this.#insertItem(transaction, item);
    await this.#change(transaction, caller, release, {}, ['items']);
    return item;
  }

  async removeItem(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    { id, type, record, language }: ItemPlace,
  ): Promise<void> {
    const release = await this.get(caller, id, transaction);
    const item = await this.#store.item(transaction, { release: id, type: type.singular, id: record, language });
    if (item === undefined || !(await this.#sees(transaction, caller, item))) throw notFound();
    this.#requireOpen(release);
    await this.#store.removeItem(transaction, item.id);
    await this.#change(transaction, caller, release, {}, ['items']);
  }

  #spoken(caller: AuthenticatedCaller, { type, language }: ItemPlace): InItemLanguage {
    const spoken = inItemLanguage(this.#records, { type: type.singular, language }, caller);
    if (spoken === undefined) throw new Error(`Records of ${type.singular} have no language ${language}.`);
    return spoken;
  }

  async #sees(transaction: Transaction, caller: AuthenticatedCaller, item: ReleaseItem): Promise<boolean> {
    const within = new ReleaseSight(this.#records, caller, transaction);
    return (await within.visible([item])).length > 0;
  }

  async #insertItem(transaction: Transaction, item: ReleaseItem): Promise<void> {
    if ((await this.#store.countItems(transaction, item.release)) >= mostItems)
      throw conflict('too_many_items', `A release has at most ${mostItems} records.`);
    await this.#store.insertItem(transaction, item);
  }

  /** Everything that speaks against publishing a release now, found by publishing it and storing nothing. */
  async check(caller: AuthenticatedCaller, id: string): Promise<readonly ReleaseProblem[]> {
    await this.get(caller, id);
    const { items, hidesSome } = await this.itemsFor(caller, id);
    return this.#problemsOf(caller, id, items, hidesSome);
  }

  async #problemsOf(
    caller: AuthenticatedCaller,
    release: string,
    items: readonly ReleaseItem[],
    hidesSome: boolean,
  ): Promise<readonly ReleaseProblem[]> {
    const run = await prepareRun(this.#records, { release, items, caller });
    const found = await this.#records.rehearse(
      writeOf(run, caller, this.#records, (transaction) => run.run(transaction)),
    );
    const problems = this.sight(caller).problems(found.problems);
    return hidesSome ? [...problems, hiddenProblem] : problems;
  }

  /**
   * Prepares the publication of a release with the rights of the caller: all of it or nothing. Throws 409 where it is published already,
   * 422 or 409 with everything that speaks against it.
   */
  async preparePublication(
    caller: AuthenticatedCaller,
    id: string,
    as: 'now' | 'scheduled' = 'now',
  ): Promise<PreparedWrite<Release>> {
    const release = await this.get(caller, id);
    if (release.status === 'done') throw alreadyPublished();
    if (as === 'now' && release.status === 'scheduled') this.#requireOpen(release);
    const { items, hidesSome } = await this.itemsFor(caller, id);
    const run = await prepareRun(this.#records, { release: id, items, caller });
    return writeOf(run, caller, this.#records, async (transaction) => {
      const now = this.#now();
      const done = {
        status: 'done',
        failure: null,
        publishedAt: now,
        updatedAt: now,
        publishedBy: callerId(caller),
      } as const;
      // First, so that whoever else publishes or changes it waits, and finds it published.
      const after = await this.#store.update(transaction, release, done);
      if (after === undefined) throw changedMeanwhile();
      const { made, problems } = await run.run(transaction);
      const shown = this.sight(caller).problems(problems);
      const all = hidesSome ? [...shown, hiddenProblem] : shown;
      if (all.length > 0) throw notPublished(all, items);
      await this.#store.keepMade(transaction, made);
      this.#log(transaction, caller, after, 'publish');
      return after;
    });
  }

  /**
   * Has a release published at its time, with the rights that the caller has then. `known`: the time that it has as the caller knows; then
   * one that is scheduled may be moved, and 409 is thrown where somebody has moved it already.
   */
  async schedule(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    id: string,
    input: Partial<Pick<Release, 'scheduledAt' | 'timeZone'>>,
    known?: string | null,
  ): Promise<Release> {
    const release = await this.get(caller, id, transaction);
    if (known !== undefined && known !== release.scheduledAt) throw changedMeanwhile();
    const isMoved = known !== undefined && statusAt(release, this.#now()) === 'scheduled';
    if (!isMoved) this.#requireOpen(release);
    const at = input.scheduledAt ?? release.scheduledAt;
    if (at === null) throw invalid([timeMissing]);
    if (Date.parse(at) <= this.#now()) throw invalid([timePassed]);
    const { kind, id: by, tenant, visited } = caller;
    const scheduledBy = { kind, id: by, ...(tenant && { tenant }), ...(visited && { visited }) };
    const changes = { ...input, scheduledAt: at, status: 'scheduled', scheduledBy, failure: null } as const;
    return this.#change(transaction, caller, release, changes, ['status', 'scheduled_at']);
  }

  async cancel(transaction: Transaction, caller: AuthenticatedCaller, id: string): Promise<Release> {
    const release = await this.get(caller, id, transaction);
    if (release.status !== 'scheduled') throw conflict('not_scheduled', 'This release is not scheduled.');
    return this.#change(transaction, caller, release, { status: 'open', scheduledBy: null }, ['status']);
  }

  /** Keeps why a scheduled release was not published. Nothing happens where somebody has changed it meanwhile. */
  async fail(
    transaction: Transaction,
    caller: AuthenticatedCaller | null,
    release: Release,
    failure: Failure,
  ): Promise<void> {
    const after = await this.#store.update(transaction, release, { status: 'failed', failure, updatedAt: this.#now() });
    if (after !== undefined) this.#log(transaction, caller, after, 'update', ['status']);
  }

  /** Prepares a release that takes back what another has changed, and says what would speak against publishing it now. */
  async prepareRevert(caller: AuthenticatedCaller, id: string) {
    const reverted = await this.get(caller, id);
    if (reverted.status !== 'done') throw conflict('not_published', 'Only what is published can be taken back.');
    const { items, hidesSome } = await this.itemsFor(caller, id);
    if (hidesSome) throw forbidden('insufficient_role', 'This release has records that you cannot see.');
    const sight = this.sight(caller);
    const input = {
      name: `Revert: ${reverted.name}`.slice(0, 200),
      description: '',
      scheduledAt: null,
      timeZone: null,
    };
    const release: Release = { ...this.#begun(caller, input), reverts: id };
    const adding = { release: release.id, addedBy: callerId(caller), addedAt: release.createdAt };
    // Last changed, first taken back.
    const inverse = items.toReversed().flatMap((item) => {
      const type = inItemLanguage(this.#records, item, caller)?.type;
      const made = type === undefined ? undefined : inverseOf(type, item, adding);
      if (made === undefined) return [];
      if (!sight.commands(item, { ...made.changes, ...made.base }))
        throw forbidden(
          'insufficient_role',
          `Your role may not change all that this release has changed of a ${item.type}.`,
        );
      return [made];
    });
    const conflicts = await this.#problemsOf(caller, release.id, inverse, false);
    const create = async (transaction: Transaction): Promise<Release> => {
      await this.#store.insert(transaction, release);
      await this.#store.insertItems(transaction, inverse);
      this.#log(transaction, caller, release, 'create');
      return release;
    };
    return { create, items: inverse, conflicts };
  }

  async #change(
    transaction: Transaction,
    caller: AuthenticatedCaller,
    release: Release,
    changes: Partial<Release>,
    changed: readonly string[],
  ): Promise<Release> {
    const after = await this.#store.update(transaction, release, { ...changes, updatedAt: this.#now() });
    if (after === undefined) throw changedMeanwhile();
    this.#log(transaction, caller, after, 'update', changed);
    return after;
  }

  #requireOpen(release: Release): void {
    const status = statusAt(release, this.#now());
    if (status === 'done') throw alreadyPublished();
    if (status === 'publishing') throw conflict('release_publishing', 'This release is being published.');
    if (status === 'scheduled')
      throw conflict('release_scheduled', 'This release is scheduled: cancel that to change it.');
  }

  #log(
    transaction: Transaction,
    caller: AuthenticatedCaller | null,
    { id, tenant }: Release,
    action: ChangeAction,
    changed: readonly string[] = [],
  ): void {
    const at = new Date(this.#now()).toISOString();
    logOtherChange(transaction, { type: releaseEvents, id, tenant, action, changed, caller: caller ?? system, at });
  }
}

/** A run as one write of all its types. */
function writeOf<T>(
  { types }: PreparedRun,
  caller: AuthenticatedCaller,
  records: Records,
  run: (transaction: Transaction) => Promise<T>,
): PreparedWrite<T> {
  // Without a type there is nothing to publish, and no table to look after.
  const [type = records.types.all[0], ...besides] = types;
  if (type === undefined) throw new Error('The service has no content types.');
  return { type, besides, view: adminView(rightsOf(caller, records.types.roles)), run };
}

const nothing = { changes: {}, base: {} };

const apiNames: Readonly<Record<string, string>> = { scheduledAt: 'scheduled_at', timeZone: 'time_zone' };

function requireAction(type: ContentType, action: ItemAction, changes: ItemInput['changes']): void {
  if (!isReleasable(type))
    throw new Problem(422, 'not_in_release', `Records of ${type.singular} cannot be in a release.`);
  const faults: FieldFault[] = [];
  if (!itemActionsOf(type).includes(action))
    faults.push({ field: 'action', code: 'not_allowed', message: noSuchAction(type, action) });
  if (action !== 'publish' && Object.keys(changes).length > 0)
    faults.push({ field: 'changes', code: 'not_allowed', message: `Not together with ${action}.` });
  if (faults.length > 0) throw invalid(faults);
}

const noSuchAction = (type: ContentType, action: ItemAction): string =>
  sharesState(type)
    ? `The languages of a ${type.singular} share its status: ${action} it in the default language.`
    : `Records of ${type.singular} have no ${action}.`;

const onlyPublish: FieldFault = {
  field: 'action',
  code: 'not_allowed',
  message: 'A record that begins with the release is published: take it out of the release instead.',
};

const newHasOne: FieldFault = {
  field: 'language',
  code: 'not_in_release',
  message: 'A record that begins with the release begins in the default language. Others follow once it is there.',
};

const noNew: FieldFault = {
  field: '',
  code: 'not_allowed',
  message: 'A single type has its one record already: put that into the release.',
};

const timeMissing: FieldFault = { field: 'scheduled_at', code: 'required', message: 'scheduled_at is required.' };

const timePassed: FieldFault = {
  field: 'scheduled_at',
  code: 'in_the_past',
  message: 'This time has passed: publish the release instead.',
};

const alreadyPublished = (): Problem => conflict('release_published', 'This release is published already.');

const changedMeanwhile = (): Problem =>
  conflict('release_changed', 'Somebody has changed this release meanwhile: fetch it again and repeat this.');
