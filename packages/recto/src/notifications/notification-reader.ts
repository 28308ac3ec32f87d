import { sql } from 'kysely';
import type { Account } from '../auth/account.ts';
import type { AccountStore } from '../auth/account-store.ts';
import { callerOf } from '../auth/current-caller.ts';
import { type Role, system } from '../base/caller.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import type { StoredRecord } from '../definition/protocol.ts';
import { roleActions } from '../definition/roles/role.ts';
import type { EventLog } from '../events/event-log.ts';
import type { EventReader } from '../events/event-reader.ts';
import { logOtherChange } from '../events/event-writer.ts';
import type { LoggedEvent } from '../events/logged-event.ts';
import { notificationEvents } from '../events/streams/stream-types.ts';
import type { NoteStore } from '../notes/note-store.ts';
import { tenantOfRecord } from '../records/checks/tenancy.ts';
import type { Records } from '../records/records.ts';
import type { ReleaseStore } from '../releases/release-store.ts';
import type { NewNotification, NotificationKind, NotificationSubject } from './notification.ts';
import { NotificationSight } from './notification-sight.ts';
import type { NotificationStore } from './notification-store.ts';
import type { FollowedRecordRow } from './notification-tables.ts';
import { type Stages, stagesOf } from './stages.ts';

/** Events that are dealt with in one transaction. */
const slice = 100;

/** The most people who are asked to decide on a record. */
const mostDeciders = 200;

export interface NotificationReaderParts {
  readonly database: Database;
  readonly records: Records;
  readonly log: EventLog;
  readonly reader: EventReader;
  readonly store: NotificationStore;
  readonly notes: NoteStore;
  readonly releases: ReleaseStore;
  readonly accounts: Pick<AccountStore, 'byId' | 'ofRoles'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called within the transaction for each account that has new notifications. */
  readonly onNew: (transaction: Transaction, account: string) => Promise<void>;
}

/** What is made of events, before it is known whom it concerns. */
type Notice = NotificationSubject &
  Pick<NewNotification, 'kind' | 'once' | 'actor' | 'at'> & {
    /** The number of the event. */
    readonly seq: number;
  };

/**
 * Makes notifications of what the log has. Each part of the log is dealt with in the transaction that moves the reader's position, so
 * that no event notifies twice or not at all, whenever a process ends.
 */
export class NotificationReader {
  readonly #parts: NotificationReaderParts;

  constructor(parts: NotificationReaderParts) {
    this.#parts = parts;
  }

  /** Goes through the log to its end. Ends early when `signal` is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { log, reader, database, records } = this.#parts;
    while (!signal.aborted) {
      const position = await reader.begin();
      const end = await log.last();
      if (end <= position) return;
      const where = [concerning(records.types.all)];
      const events = await log.read({ after: position, through: end, limit: slice, where });
      const to = events.length < slice ? end : (events.at(-1)?.seq ?? end);
      await database.transaction(async (transaction) => {
        if (await reader.moveIn(transaction, position, to)) await new Slice(this.#parts, transaction).deal(events);
      });
    }
  }
}

/** Events of notes and releases, of what is published, and of records that people work on. */
function concerning(types: readonly ContentType[]) {
  const followed = types.filter(isFollowed).map(({ singular }) => singular);
  const names = sql.join(['recto:note', 'recto:release', ...followed]);
  return sql<boolean>`("type" in (${names}) or "action" = 'publish')`;
}

const isFollowed = (type: ContentType): boolean => type.facts.assignee !== undefined || stagesOf(type) !== undefined;

/** A part of the log, within a transaction. */
class Slice {
  readonly #parts: NotificationReaderParts;
  readonly #transaction: Transaction;
  readonly #notices: { readonly notice: Notice; readonly receivers: readonly (string | null)[] }[] = [];
  readonly #notified = new Map<string, NewNotification[]>();

  constructor(parts: NotificationReaderParts, transaction: Transaction) {
    this.#parts = parts;
    this.#transaction = transaction;
  }

  async deal(events: readonly LoggedEvent[]): Promise<void> {
    const ofRecords = new Map<string, LoggedEvent[]>();
    for (const event of events) {
      if (event.type === 'recto:note') await this.#note(event);
      else if (event.type === 'recto:release') await this.#release(event);
      else
        ofRecords.set(`${event.type} ${event.record}`, [
          ...(ofRecords.get(`${event.type} ${event.record}`) ?? []),
          event,
        ]);
    }
    for (const some of ofRecords.values()) await this.#record(some);
    // In the order in which it has happened.
    for (const { notice, receivers } of this.#notices.toSorted((a, b) => a.notice.seq - b.notice.seq))
      await this.#insert(notice, receivers);
    const { now, onNew } = this.#parts;
    const at = new Date(now()).toISOString();
    for (const [id, made] of this.#notified) {
      // What somebody may not read is no news: that it came would say something of it.
      if (!(await this.#sees(id, made))) continue;
      const change = {
        type: notificationEvents,
        id,
        tenant: null,
        action: 'create',
        changed: [],
        caller: system,
        at,
      } as const;
      logOtherChange(this.#transaction, change);
      this.#transaction.touch(notificationEvents);
      await onNew(this.#transaction, id);
    }
  }

  /** Who is mentioned in a note, once, whenever that was added. */
  async #note(event: LoggedEvent): Promise<void> {
    if (event.action === 'delete' || !(event.action === 'create' || event.changed.includes('mentions'))) return;
    const note = await this.#parts.notes.get(this.#transaction, event.record);
    if (note === undefined) return;
    const { id, type, record, mentions } = note;
    const notice = { ...made(event, 'mentioned', id), type, record, note: id, release: null };
    this.#notify(notice, mentions);
  }

  /** Who has scheduled a release that was not published. */
  async #release(event: LoggedEvent): Promise<void> {
    if (event.action !== 'update' || !event.changed.includes('status')) return;
    const release = await this.#parts.releases.get(event.record, this.#transaction);
    if (release === undefined || release.failure === null || release.status !== 'failed') return;
    const by = release.scheduledBy?.id ?? release.createdBy;
    const subject = { type: null, record: null, note: null, release: release.id };
    this.#notify({ ...made(event, 'release_failed', String(event.seq)), ...subject, actor: null }, [by]);
  }

  /** What has become of a record, by what the reader has last seen of it: changes that were taken back are none. */
  async #record(events: readonly LoggedEvent[]): Promise<void> {
    const [first] = events;
    const type = first === undefined ? undefined : this.#parts.records.types.find(first.type);
    if (first === undefined || type === undefined) return;
    const { singular } = type;
    const current = await this.#parts.records.find(this.#transaction, type, first.record);
    const before = await this.#parts.store.followed(this.#transaction, singular, first.record);
    if (current === undefined) {
      if (before !== undefined) await this.#parts.store.unfollow(this.#transaction, singular, first.record);
      return;
    }
    const stages = stagesOf(type);
    const field = type.facts.assignee?.name;
    const assigned = events.findLast(({ action, changed }) => action === 'create' || changed.includes(field ?? ''));
    const moved = events.findLast(
      ({ action, changed }) => action === 'create' || changed.includes(stages?.column ?? ''),
    );
    // What has changed behind this part of the log is dealt with there.
    const now: FollowedRecordRow = {
      ...{ type: singular, record: first.record, asked_by: before?.asked_by ?? null },
      assignee: assigned === undefined ? (before?.assignee ?? null) : textIn(current, field),
      status: moved === undefined ? (before?.status ?? null) : textIn(current, stages?.column),
    };
    const subject = { type: singular, record: first.record, note: null, release: null } as const;
    if (assigned !== undefined && now.assignee !== (before?.assignee ?? null))
      this.#notify({ ...subject, ...made(assigned, 'assigned', String(assigned.seq)) }, [now.assignee]);
    const asked =
      stages === undefined || moved === undefined
        ? now.asked_by
        : await this.#moved({ type, subject, stages, before, now, current, event: moved });
    const published = events.findLast(({ action }) => action === 'publish');
    if (published !== undefined) {
      const notice = { ...subject, ...made(published, 'published', String(published.seq)) };
      this.#notify(notice, workersOn(type, current, now));
    }
    const after = { ...now, asked_by: asked };
    if (isFollowed(type) && !isSame(before, after)) await this.#parts.store.follow(this.#transaction, after);
  }

  /** Returns who has asked for the review that the record waits for. */
  async #moved({
    type,
    subject,
    stages,
    before,
    now,
    current,
    event,
  }: Seen & {
    readonly type: ContentType;
    readonly subject: NotificationSubject;
    readonly stages: Stages;
    readonly current: StoredRecord;
    readonly event: LoggedEvent;
  }): Promise<string | null> {
    const begun = type.field.get(stages.column)?.default;
    const from = before?.status ?? (typeof begun === 'string' ? begun : null);
    const move = stages.move(from, now.status);
    if (move === undefined) return now.asked_by;
    const notice = (kind: NotificationKind): Notice => ({ ...subject, ...made(event, kind, String(event.seq)) });
    if (move.direction === 'back') {
      this.#notify(notice('sent_back'), workersOn(type, current, now));
      return null;
    }
    const asker = event.actor?.kind === 'account' ? event.actor.id : null;
    const deciders = await this.#deciders(type, move.deciders, tenantOfRecord(type, current));
    this.#notify(
      notice('review_asked'),
      deciders.map(({ id }) => id),
    );
    if (move.isFirst) return asker;
    this.#notify(notice('approved'), workersOn(type, current, now));
    return now.asked_by ?? asker;
  }

  /** Those who may make the next move: of the roles that it names, else of all that publish records of the type. */
  async #deciders(
    type: ContentType,
    named: ReadonlySet<Role> | null,
    tenant: string | null,
  ): Promise<readonly Account[]> {
    const { ownRoles } = this.#parts.records.types;
    const own = ownRoles.all.filter(({ types }) => {
      const grant = types.get(type.singular);
      return grant !== undefined && grant.publish !== false && roleActions.some((action) => grant[action] !== false);
    });
    const roles = named ?? new Set(['admin', 'editor', ...own.map(({ name }) => name)]);
    const found = await this.#parts.accounts.ofRoles(this.#transaction, { roles: [...roles], most: mostDeciders });
    return found.filter((account) => type.partition === null || account.tenant === null || account.tenant === tenant);
  }

  #notify(notice: Notice, receivers: readonly (string | null)[]): void {
    this.#notices.push({ notice, receivers });
  }

  /** Nobody is notified of what they have done themselves, and members work on nothing. */
  async #insert({ seq: _, ...notice }: Notice, receivers: readonly (string | null)[]): Promise<void> {
    for (const id of new Set(receivers)) {
      if (id === null || id === notice.actor) continue;
      const account = await this.#parts.accounts.byId(this.#transaction, id);
      if (account === undefined || account.disabled || account.role === 'member') continue;
      const made: NewNotification = { ...notice, account: id };
      if (await this.#parts.store.insert(this.#transaction, made))
        this.#notified.set(id, [...(this.#notified.get(id) ?? []), made]);
    }
  }

  async #sees(id: string, made: readonly NewNotification[]): Promise<boolean> {
    const account = await this.#parts.accounts.byId(this.#transaction, id);
    if (account === undefined) return false;
    const sight = new NotificationSight(this.#parts, callerOf(account));
    return (await sight.seen(made, this.#transaction)).length > 0;
  }
}

interface Seen {
  readonly before: FollowedRecordRow | undefined;
  readonly now: FollowedRecordRow;
}

const made = (event: LoggedEvent, kind: NotificationKind, of: string) => ({
  kind,
  seq: event.seq,
  once: `${kind}:${of}`,
  actor: event.actor?.id ?? null,
  at: Date.parse(event.at),
});

const textIn = (record: StoredRecord, name: string | undefined): string | null => {
  const value = name === undefined ? null : record[name];
  return typeof value === 'string' ? value : null;
};

/** Who has written a record, whom it is assigned to, and who has asked for its review. */
const workersOn = (type: ContentType, record: StoredRecord, { assignee, asked_by: asked }: FollowedRecordRow) => [
  ...['created_by', 'author_id'].map((name) =>
    type.field.get(name)?.origin === 'protocol' ? textIn(record, name) : null,
  ),
  assignee,
  asked,
];

/** A record that nobody works on, and of which nothing is known, need not be kept. */
function isSame(before: FollowedRecordRow | undefined, after: FollowedRecordRow): boolean {
  const names = ['assignee', 'status', 'asked_by'] as const;
  return before === undefined
    ? after.assignee === null && after.asked_by === null && after.status === null
    : names.every((name) => before[name] === after[name]);
}
