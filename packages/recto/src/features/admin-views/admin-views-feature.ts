import { adminViewTables } from '../../admin-views/admin-view-tables.ts';
import { PreferenceStore } from '../../admin-views/preference-store.ts';
import { SavedViewStore } from '../../admin-views/saved-view-store.ts';
import { SavedViews } from '../../admin-views/saved-views.ts';
import { periodicJob } from '../../jobs/job-kind.ts';
import { defineFeature } from '../feature.ts';
import { preferenceOperations } from './preference-operations.ts';
import { viewOperations } from './view-operations.ts';

/** What people keep of the admin's lists: saved views, and preferences of their own. */
export const adminViews = defineFeature({
  name: 'admin-views',
  tables: adminViewTables,
  operations: ({ types, records: { database }, settings, now }) => [
    ...viewOperations({
      views: new SavedViews(database, now),
      types,
      maxPageSize: settings.cmsMaxPageSize,
      runInTransaction: (work) => database.transaction(work),
    }),
    ...preferenceOperations({ database, preferences: new PreferenceStore(database.dialect), now }),
  ],
  jobs: ({ records: { database } }) => [
    // Accounts are removed by several ways, also while no service runs. Ids are never given twice, so nobody reads what is left.
    periodicJob('admin_views.prune', { cron: '23 4 * * *' }, async () => {
      const views = await database.transaction((transaction) =>
        new SavedViewStore(database.dialect).prune(transaction),
      );
      const preferences = await database.transaction((transaction) =>
        new PreferenceStore(database.dialect).prune(transaction),
      );
      return { result: { views, preferences } };
    }),
  ],
});
