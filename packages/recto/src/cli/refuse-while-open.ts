import { setTimeout as pause } from 'node:timers/promises';
import { FatalError } from '../base/fatal-error.ts';
import type { DatabaseLocation } from '../config/settings.ts';
import { describeLocation } from '../database/open-database.ts';
import { isOpenElsewhere } from '../database/read-database.ts';

/** How long to wait for another command that has the database open, in milliseconds. */
const patienceMs = 5_000;

/** Throws while a service has the database open. Waits for another command that is about to end. */
export async function refuseWhileOpen(location: DatabaseLocation): Promise<void> {
  const place = location.kind === 'sqlite' ? location.path : describeLocation(location);
  const deadline = performance.now() + patienceMs;
  while (await isOpenElsewhere(location)) {
    if (performance.now() > deadline)
      throw new FatalError(`Another process has ${place} open: stop the service first. Nothing was changed.`);
    await pause(100);
  }
}
