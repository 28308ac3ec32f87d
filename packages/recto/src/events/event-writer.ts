import type { Caller } from '../base/caller.ts';
import type { Transaction } from '../database/database.ts';
import { appendedColumns } from '../database/engine/appended-row.ts';
import type { ChangeAction, ChangeLog } from '../records/write/change-log.ts';
import { beforeImage } from './before-image.ts';
import { type EventRow, eventsTable } from './event-tables.ts';

/** Writes the changes of records into the log, in the transactions that make them. */
export const eventWriter: ChangeLog = {
  add(transaction, { type, id, before, ...change }) {
    const image = before === null ? null : beforeImage(type, before);
    append(transaction, { ...change, type: type.singular, record: id, before: image });
  },
};

/** The same for changes that nobody's request makes, in the name of who has asked for them. */
export const eventWriterFor = (caller: Caller): ChangeLog => ({
  add: (transaction, change) => eventWriter.add(transaction, { ...change, caller }),
});

/** A change of what is no record of a content type, such as an account. */
export interface OtherChange {
  /** Begins with `recto:`, which no content type does. */
  readonly type: string;
  readonly id: string;
  readonly tenant: string | null;
  readonly action: ChangeAction;
  readonly changed: readonly string[];
  readonly caller: Caller;
  /** Canonical datetime. */
  readonly at: string;
}

/** Writes it into the log. */
export function logOtherChange(transaction: Transaction, { id, ...change }: OtherChange): void {
  append(transaction, { ...change, record: id, revision: null, before: null });
}

interface AppendedEvent extends Pick<EventRow, 'type' | 'record' | 'tenant' | 'at' | 'revision' | 'before'> {
  readonly action: ChangeAction;
  readonly changed: readonly string[];
  readonly caller: Caller;
}

function append(transaction: Transaction, { caller, ...event }: AppendedEvent): void {
  const row: Omit<EventRow, 'seq'> = {
    ...event,
    changed: event.changed.length === 0 ? '[]' : JSON.stringify(event.changed),
    ...actorOf(caller),
    request_id: caller.request ?? null,
    via: viaOf(caller),
  };
  transaction.append({ table: eventsTable, values: columns.map((name) => row[name]) });
}

// The table's columns are those of its rows.
const columns = appendedColumns(eventsTable) as readonly (keyof Omit<EventRow, 'seq'>)[];

function viaOf({ via }: Caller): string | null {
  if (via === undefined) return null;
  switch (via.kind) {
    case 'import':
      return via.kind;
    case 'release':
      return `release ${via.release}`;
    case 'mcp':
      return via.client === null ? via.kind : `${via.kind} ${via.client}`;
  }
}

function actorOf(caller: Caller): Pick<EventRow, 'actor' | 'actor_kind'> {
  if (caller.isSystem === true) return { actor: null, actor_kind: 'system' };
  if (caller.kind === 'anonymous') return { actor: null, actor_kind: null };
  return { actor: caller.id, actor_kind: caller.kind };
}
