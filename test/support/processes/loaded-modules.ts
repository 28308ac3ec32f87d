import { createLogger } from '../../../packages/recto/src/base/logger.ts';
import { readSettings } from '../../../packages/recto/src/config/settings.ts';
import { messageJob } from '../../../packages/recto/src/mail/message-job.ts';
import { openService } from '../../../packages/recto/src/service/open-service.ts';

/** Prints the modules of a service that has started, and then, with an address as argument, those after its first mail. */
const service = await openService({ settings: readSettings(process.env), log: createLogger('silent') });
const { url } = await service.start();
await fetch(`${url}/api/v1/auth/options`).then((response) => response.arrayBuffer());
const print = (): void => void process.stdout.write(`${JSON.stringify(Object.keys(require.cache))}\n`);
print();
const to = process.argv[2];
if (to !== undefined) {
  await service.jobs.enqueue(messageJob, { kind: 'test', to, language: 'en' });
  await service.runner.settle();
  print();
}
await service.stop();
process.exit(0);
