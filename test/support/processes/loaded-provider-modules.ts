import { createLogger } from '../../../packages/recto/src/base/logger.ts';
import { readSettings } from '../../../packages/recto/src/config/settings.ts';
import { openService } from '../../../packages/recto/src/service/open-service.ts';

/** Prints the modules of a service that has started, and those after somebody has gone to its provider `main`. */
const service = await openService({ settings: readSettings(process.env), log: createLogger('silent') });
const { url } = await service.start();
await fetch(`${url}/api/v1/auth/providers`).then((response) => response.arrayBuffer());
const print = (): void => void process.stdout.write(`${JSON.stringify(Object.keys(require.cache))}\n`);
print();
const query = new URLSearchParams({ challenge: 'c'.repeat(43), purpose: 'admin' });
await fetch(`${url}/api/v1/auth/providers/main/start?${query}`, { redirect: 'manual' });
print();
await service.stop();
process.exit(0);
