import '../../text/en/site.ts';
import { expect, test } from 'bun:test';
import { jobKindName } from './job-kinds.ts';

test.each([
  ['transfer.import', 'Import of a file'],
  ['hooks.after', 'Hook after a change'],
  ['cron.unfeature', 'Scheduled job “unfeature”'],
  ['unknown.kind', 'unknown.kind'],
])('the job %s is called %s', (kind, name) => {
  expect(jobKindName(kind)).toBe(name);
});
