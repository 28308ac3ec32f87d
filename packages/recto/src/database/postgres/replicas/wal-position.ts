import { type Client, runQuery } from '../postgres-client.ts';

/**
 * A place in the write-ahead log. A standby that has replayed as far, on the same timeline, shows whatever was committed
 * before (https://www.postgresql.org/docs/current/wal-internals.html).
 */
export interface WalPosition {
  readonly timeline: number;
  readonly place: bigint;
}

/** Which tables a connection reads: those of one cluster and its standbys, by the cluster's and the catalog's own numbers. */
interface Identity {
  readonly system: string;
  readonly tables: string | null;
}

/** What the primary reports. */
export interface PrimaryState extends Identity {
  readonly position: WalPosition;
}

/** What a standby reports. */
export interface StandbyState extends Identity {
  /** How far it had come when it was asked; undefined: it is no standby. */
  readonly position: WalPosition | undefined;
}

interface StateRow extends Identity {
  readonly timeline: number;
  readonly place: string | null;
}

/** Needs no privilege but to connect. */
const identity = `system_identifier::text AS system,
  (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || to_regclass('recto_schema')::oid AS tables`;

/**
 * A commit that anybody knows of is flushed, unless the server is configured not to wait for that; then what is only inserted counts too.
 * Fails on a server in recovery, which is no longer a primary.
 */
const primaryQuery = `SELECT ${identity}, ('x' || substr(pg_walfile_name(lsn), 1, 8))::bit(32)::int AS timeline,
    (lsn - '0/0')::text AS place
  FROM pg_control_system(), (
    SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
      ELSE pg_current_wal_flush_lsn() END AS lsn) AS log`;

/** The timeline is that of its last restart point: after a failover a standby may know it late, and waits. */
const standbyQuery = `SELECT ${identity}, timeline_id AS timeline,
    CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::text END AS place
  FROM pg_control_system(), pg_control_checkpoint()`;

/** The end of what is committed on the primary at this moment. */
export async function askPrimary(client: Client): Promise<PrimaryState> {
  const { system, tables, timeline, place } = await ask(client, primaryQuery);
  if (place === null) throw new Error('The database did not report the position of its log.');
  return { system, tables, position: { timeline, place: BigInt(place) } };
}

export async function askStandby(client: Client): Promise<StandbyState> {
  const { system, tables, timeline, place } = await ask(client, standbyQuery);
  return { system, tables, position: place === null ? undefined : { timeline, place: BigInt(place) } };
}

async function ask(client: Client, sql: string): Promise<StateRow> {
  const [row] = await runQuery<StateRow>(client, { sql, parameters: [] });
  if (row === undefined) throw new Error('The server reported nothing about itself.');
  return row;
}

/** Whether a standby at `reached` shows all that was committed before `needed`. */
export const reaches = (reached: WalPosition, needed: WalPosition): boolean =>
  reached.timeline === needed.timeline && reached.place >= needed.place;

/** Why a server is not one to read from instead of the primary; undefined where it is. */
export function unfitness(standby: StandbyState, primary: PrimaryState): string | undefined {
  if (standby.system !== primary.system) return 'it is no copy of this database';
  if (standby.position === undefined) return 'it is no standby: it can be written to';
  if (standby.tables === primary.tables) return undefined;
  // The tables themselves may be among what it lacks.
  if (!reaches(standby.position, primary.position)) return 'it has not come to the tables of this service yet';
  return 'its URL leads to another database or schema';
}
