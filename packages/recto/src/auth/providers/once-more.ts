import type { Database } from '../../database/database.ts';

/** Two requests for one identity or address can both see it free; the database lets one through, and the other looks again. */
export async function onceMore<T>({ dialect }: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (dialect.fault(error)?.kind !== 'unique') throw error;
    return work();
  }
}
