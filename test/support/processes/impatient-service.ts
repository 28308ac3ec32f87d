import { createLogger } from '../../../packages/recto/src/base/logger.ts';
import { readSettings } from '../../../packages/recto/src/config/settings.ts';
import { startWorkers } from '../../../packages/recto/src/service/workers/start-workers.ts';

/** `recto start` for tests of workers that hang: one is ended after ten seconds of silence in place of thirty. */

const timing = { lookEvery: 1_000, silence: 10_000, delays: [0], steadyAfter: 60_000 };
const main = new URL('../../../packages/recto/src/cli/main.ts', import.meta.url);
const service = await startWorkers(
  { settings: readSettings(process.env), count: 1, main, timing },
  createLogger('info'),
);
process.stdout.write(`${service.url}\n`);
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)));
