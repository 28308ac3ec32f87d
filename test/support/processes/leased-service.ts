import { createLogger } from '../../../packages/recto/src/base/logger.ts';
import { provideOwnName } from '../../../packages/recto/src/base/own-name.ts';
import { readSettings } from '../../../packages/recto/src/config/settings.ts';
import { openService } from '../../../packages/recto/src/service/open-service.ts';

/** `recto start` for tests that kill it: what it leaves behind is taken over after a second. */

provideOwnName(() => import('../../../packages/recto/src/index.ts'));

const leaseMs = 1_000;
const service = await openService({ settings: readSettings(process.env), log: createLogger('warn'), leaseMs });
const { url } = await service.start();
process.stdout.write(`${url}\n`);
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)));
