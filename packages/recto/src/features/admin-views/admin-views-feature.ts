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
  create({ database, settings, now }) {
    const views = new SavedViews(database, now);
    const preferences = new PreferenceStore(database.dialect);
    return {
      operations: ({ types }) => [
        ...viewOperations({
          views,
          types,
          maxPageSize: settings.cmsMaxPageSize,
          runInTransaction: (work) => database.transaction(work),
        }),
        ...preferenceOperations({ database, preferences, now }),
      ],
      jobs: () => [
        // Accounts are removed by several ways, also while no service runs. Ids are never given twice, so nobody reads what is left.
        periodicJob('admin_views.prune', { cron: '23 4 * * *' }, async () => {
          const stored = new SavedViewStore(database.dialect);
          const removedViews = await database.transaction((transaction) => stored.prune(transaction));
          const removedPreferences = await database.transaction((transaction) => preferences.prune(transaction));
          return { result: { views: removedViews, preferences: removedPreferences } };
        }),
      ],
    };
  },
});
