import { placeOf, postgresClient } from '../postgres-location.ts';
import { askPrimary, askStandby, type PrimaryState, unfitness } from './wal-position.ts';

/** What is wrong with the replicas of a database, each with its place; empty where all can be read from. Rejects where the database itself does not know. */
export async function inspectReplicas(url: string, replicaUrls: readonly string[]): Promise<readonly string[]> {
  const client = postgresClient(url, { connections: 1 });
  try {
    const primary = await askPrimary(client);
    const faults = await Promise.all(replicaUrls.map((replicaUrl) => inspectReplica(replicaUrl, primary)));
    return faults.filter((fault) => fault !== undefined);
  } finally {
    await client.close({ timeout: 0 });
  }
}

async function inspectReplica(url: string, primary: PrimaryState): Promise<string | undefined> {
  const client = postgresClient(url, { connections: 1 });
  try {
    const reason = unfitness(await askStandby(client), primary);
    return reason === undefined ? undefined : `${placeOf(url)}: ${reason}`;
  } catch (error) {
    return `${placeOf(url)}: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    await client.close({ timeout: 0 });
  }
}
