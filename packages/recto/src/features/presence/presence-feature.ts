import { periodicJob } from '../../jobs/job-kind.ts';
import { PresenceStore } from '../../presence/presence-store.ts';
import { presenceTable } from '../../presence/presence-table.ts';
import { defineFeature } from '../feature.ts';
import { presenceOperations } from './presence-operations.ts';

/** Who has which record open in the admin. */
export const presence = defineFeature({
  name: 'presence',
  tables: [presenceTable],
  create({ database, now }) {
    const store = new PresenceStore(database.dialect);
    return {
      operations: ({ records, types }) => presenceOperations({ records, types, now, store }),
      jobs: () => [
        periodicJob('presence.prune', { cron: '11 * * * *' }, async (work) => {
          await database.transaction((transaction) => store.prune(transaction, work.now()));
          return undefined;
        }),
      ],
    };
  },
});
