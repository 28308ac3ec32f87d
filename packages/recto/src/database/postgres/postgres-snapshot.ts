import type { Executor, Observe } from '../database.ts';
import { outageProblem } from '../outage-problem.ts';
import { clientExecutor } from './postgres-client.ts';
import { postgresFault } from './postgres-fault.ts';
import { postgresClient } from './postgres-location.ts';

/** Runs `work` on one state of the database, that of its first read. The server rejects changes. */
export async function readSnapshot<T>(
  url: string,
  observe: Observe | undefined,
  work: (reader: Executor) => Promise<T>,
): Promise<T> {
  // A connection of its own: it may take long, and others wait for those of the pool.
  const client = postgresClient(url, { connections: 1 });
  try {
    const connection = await client.reserve();
    await connection.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work(clientExecutor(connection, observe));
  } catch (error) {
    throw outageProblem(postgresFault(error), error);
  } finally {
    await client.close({ timeout: 0 });
  }
}
