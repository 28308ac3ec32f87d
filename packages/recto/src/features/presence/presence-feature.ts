import { periodicJob } from '../../jobs/job-kind.ts';
import { PresenceStore } from '../../presence/presence-store.ts';
import { presenceTable } from '../../presence/presence-table.ts';
import { defineFeature } from '../feature.ts';
import { presenceOperations } from './presence-operations.ts';

/** Who has which record open in the admin. */
export const presence = defineFeature({
  name: 'presence',
  tables: [presenceTable],
  operations: ({ records, types, now }) =>
    presenceOperations({ records, types, now, store: new PresenceStore(records.database.dialect) }),
  jobs: ({ records: { database } }) => [
    periodicJob('presence.prune', { cron: '11 * * * *' }, async ({ now }) => {
      await database.transaction((transaction) => new PresenceStore(database.dialect).prune(transaction, now()));
      return undefined;
    }),
  ],
});
