import type { Logger } from '../../base/logger.ts';
import type { Settings } from '../../config/settings.ts';
import { type RunningService, startedFields } from '../running-service.ts';
import { claimPort } from './port-claim.ts';
import type { Supervisor } from './supervisor.ts';

interface Options {
  readonly settings: Settings;
  /** How many workers there are. */
  readonly count: number;
  readonly log: Logger;
}

/**
 * Does what happens once for all workers. One of them checks the definitions and updates the database schema, because this process
 * would have to load the whole service for that; then this one finds the port, and all serve. Rejects with a `FatalError` if anything
 * is wrong.
 */
export async function bringUp(
  supervisor: Supervisor,
  { settings, count, log }: Options,
): Promise<Omit<RunningService, 'stop'>> {
  const group = { startedAt: Date.now(), workers: count };
  const prepared = await supervisor.prepare({ settings, ...group });
  const claim = await claimPort({ host: settings.host, port: settings.port, log });
  try {
    await supervisor.serve({ settings: { ...settings, port: claim.port }, ...prepared, ...group });
  } finally {
    await claim.release();
  }
  const completed = await supervisor.complete();
  supervisor.ready();
  log.info({ ...startedFields(claim.url, completed.types), workers: count }, 'started');
  return { url: claim.url, ...completed };
}
