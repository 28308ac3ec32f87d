import { periodicJob } from '../../jobs/job-kind.ts';
import { PreviewStore } from '../../previews/preview-store.ts';
import { previewTable } from '../../previews/preview-table.ts';
import { Previews } from '../../previews/previews.ts';
import type { Releases } from '../../releases/releases.ts';
import { accounts } from '../accounts/accounts-feature.ts';
import { defineFeature } from '../feature.ts';
import { releases } from '../releases/releases-feature.ts';
import type { Content } from '../service-core.ts';
import { ownPageMount, siteScriptMount } from './preview-mount.ts';
import { previewOperations } from './preview-operations.ts';

/** What the service needs of previews. */
export interface ServicePreviews {
  /** Those of one set of content types. */
  of(content: Pick<Content, 'records'>): Previews;
}

/** Public reads that show what is not published yet, to editors and to people with a link. */
export const previews = defineFeature({
  name: 'previews',
  tables: [previewTable],
  async create({ database, settings, now, use }) {
    const { auth } = await use(accounts);
    const releaseStore = await use(releases);
    const store = new PreviewStore(database);
    const known = new WeakMap<Content['records'], Previews>();
    const of: ServicePreviews['of'] = ({ records }) => {
      let loaded: Promise<Releases> | undefined;
      const load = () =>
        import('../../releases/releases.ts').then((code) => new code.Releases({ records, store: releaseStore, now }));
      const loadOnce = () => {
        loaded ??= load();
        return loaded;
      };
      const made = known.get(records) ?? new Previews({ auth, records, store, now, releases: loadOnce });
      known.set(records, made);
      return made;
    };
    const service: ServicePreviews = { of };
    return {
      service,
      operations: ({ records, types }) =>
        previewOperations({
          records,
          types,
          previews: of({ records }),
          store,
          now,
          maxPageSize: settings.cmsMaxPageSize,
        }),
      mounts: ({ records }) => [siteScriptMount, ownPageMount({ records, previews: of({ records }) })],
      jobs: () => [
        periodicJob('previews.prune', { cron: '37 4 * * *' }, async () => {
          const removed = await database.transaction(async (transaction) => store.prune(transaction, now()));
          return { result: { previews: removed } };
        }),
      ],
    };
  },
});
