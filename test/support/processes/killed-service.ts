import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLogger } from '../../../packages/recto/src/base/logger.ts';
import { provideOwnName } from '../../../packages/recto/src/base/own-name.ts';
import { readSettings } from '../../../packages/recto/src/config/settings.ts';
import { openService } from '../../../packages/recto/src/service/open-service.ts';
import { openServiceDatabase } from '../../../packages/recto/src/service/service-database.ts';

/**
 * `recto start` that ends itself by SIGKILL once the database has answered so many statements: at SIGUSR2 it reads from the file `kill-at`
 * how many, and how many turns of the event loop later, and prints `armed N T after M`, where M statements were answered since the last time.
 */

provideOwnName(() => import('../../../packages/recto/src/index.ts'));

let answered = 0;
let killAt = Number.POSITIVE_INFINITY;
let turns = 0;

async function die(): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  process.kill(process.pid, 'SIGKILL');
}

const settings = readSettings(process.env);
const observe = (): void => {
  answered += 1;
  if (answered === killAt) void die();
};
const database = await openServiceDatabase(settings, { observe });
const service = await openService({ settings, log: createLogger('warn'), leaseMs: 1_000, database });
const { url } = await service.start();
process.on('SIGUSR2', () => {
  const [at = '', more = '0'] = readFileSync('kill-at', 'utf8').split(' ');
  const before = answered;
  [answered, killAt, turns] = [0, Number(at), Number(more)];
  process.stdout.write(`armed ${at} ${more} after ${before}\n`);
});
process.stdout.write(`${url}\n`);
