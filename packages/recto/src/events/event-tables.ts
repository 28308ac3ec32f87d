import type { EngineMigration } from '../database/engine/engine-table.ts';
import { defineEngineTable, plainInteger, plainText } from '../database/engine/engine-table.ts';

/** A row of the log. `changed` and `before` are JSON texts. */
export interface EventRow {
  readonly seq: number;
  readonly type: string;
  readonly record: string;
  readonly action: string;
  readonly changed: string;
  readonly actor: string | null;
  readonly actor_kind: string | null;
  readonly tenant: string | null;
  readonly request_id: string | null;
  readonly at: string;
  readonly revision: number | null;
  readonly before: string | null;
  /** `mcp`, or that and the client's name behind a space; null: the API itself. */
  readonly via: string | null;
}

/** What was written before there were agents came by the API. */
const addVia: EngineMigration = {
  number: 12,
  additive: true,
  up: async (change) => {
    if (!(await change.hasColumn('via'))) await change.addColumn('via');
  },
};

/** One row for each committed change, numbered in the order of the changes (`Dialect.settledNumber`). It has no index but its key: each would cost every write. */
export const eventsTable = defineEngineTable<EventRow>({
  name: 'recto_events',
  key: ['seq'],
  columns: {
    seq: { kind: 'integer', numbered: true },
    type: plainText,
    record: plainText,
    action: plainText,
    changed: plainText,
    actor: { ...plainText, nullable: true },
    actor_kind: { ...plainText, nullable: true },
    tenant: { ...plainText, nullable: true },
    request_id: { ...plainText, nullable: true },
    at: plainText,
    revision: { ...plainInteger, nullable: true },
    before: { ...plainText, nullable: true },
    via: { ...plainText, nullable: true },
  },
  migrations: [addVia],
});

/** How far a reader of the log has come. */
export interface ReaderRow {
  readonly name: string;
  /** The number of the last event that it has dealt with. */
  readonly position: number;
  /** When it came there; canonical datetime. */
  readonly moved_at: string;
}

/** Positions belong to what readers have done outside of this database, or to other tables of it: they are copied with those. */
export const readersTable = defineEngineTable<ReaderRow>({
  name: 'recto_event_readers',
  key: ['name'],
  columns: { name: plainText, position: { kind: 'integer' }, moved_at: plainText },
  migrations: [],
});

/** A ticket for a stream that has been used, until it would have expired. */
export interface UsedTicketRow {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly expires_at: number;
}

export const usedTicketsTable = defineEngineTable<UsedTicketRow>({
  name: 'recto_used_tickets',
  key: ['id'],
  columns: { id: plainText, expires_at: { kind: 'integer', type: 'bigint' } },
  copy: false,
  migrations: [],
});

export const eventTables = [eventsTable, readersTable, usedTicketsTable];
