import type { ChangeAction } from '../records/write/change-log.ts';
import type { EventRow } from './event-tables.ts';

/** Who made a change. Null stands for an anonymous caller. */
export type Actor =
  | { readonly id: string; readonly kind: 'account' | 'api_token' }
  | { readonly id: null; readonly kind: 'system' };

/** A committed change, as the log has it. */
export interface LoggedEvent {
  /** Rises in the order of changes, with gaps. */
  readonly seq: number;
  /** The singular name of a content type, or one of `recto:` for what is no record. */
  readonly type: string;
  /** The record's id. */
  readonly record: string;
  readonly action: ChangeAction;
  /** The names of the fields that an update changed. */
  readonly changed: readonly string[];
  readonly actor: Actor | null;
  readonly tenant: string | null;
  readonly request_id: string | null;
  /** Canonical datetime. */
  readonly at: string;
  /** The revision that the change made; null for none. */
  readonly revision: number | null;
  /** What the change came through, where it was not the API itself: `mcp`, an agent’s tools; `release`, one that was published. */
  readonly via: 'import' | 'mcp' | 'release' | null;
  /** The name that the agent's program gives itself. */
  readonly client: string | null;
  /** The release that it is part of; null for none. */
  readonly release: string | null;
}

/** An event with some of the record's columns before the change, as JSON text. */
export interface FullEvent extends LoggedEvent {
  /** Null for a new record, and where it is no longer kept. */
  readonly before: string | null;
}

export function eventOf(row: Omit<EventRow, 'before'>): LoggedEvent {
  const { seq, type, record, action, changed, tenant, request_id, at, revision } = row;
  return {
    seq: Number(seq),
    type,
    record,
    // The writer of the log is its only source.
    action: action as ChangeAction,
    changed: JSON.parse(changed),
    actor: actorOf(row),
    tenant,
    request_id,
    at,
    revision: revision === null ? null : Number(revision),
    ...viaOf(row.via),
  };
}

function viaOf(via: string | null): Pick<LoggedEvent, 'via' | 'client' | 'release'> {
  if (via === null) return { via, client: null, release: null };
  if (via === 'import') return { via, client: null, release: null };
  if (via.startsWith('release ')) return { via: 'release', client: null, release: via.slice('release '.length) };
  // The writer of the log writes nothing else.
  return { via: 'mcp', client: via.startsWith('mcp ') ? via.slice(4) : null, release: null };
}

export const fullEventOf = (row: EventRow): FullEvent => ({ ...eventOf(row), before: row.before });

function actorOf({ actor, actor_kind: kind }: Pick<EventRow, 'actor' | 'actor_kind'>): Actor | null {
  if (kind === 'system') return { id: null, kind };
  if (actor === null || (kind !== 'account' && kind !== 'api_token')) return null;
  return { id: actor, kind };
}
