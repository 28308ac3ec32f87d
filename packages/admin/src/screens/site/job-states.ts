import type { JobState } from '../../api/admin-routes.ts';
import type { MessageKey } from '../../text/text.ts';

export const stateLabels: Readonly<Record<JobState, MessageKey>> = {
  queued: 'site.queued',
  running: 'site.running',
  done: 'site.jobDone',
  failed: 'site.failed',
  cancelled: 'site.cancelled',
};
