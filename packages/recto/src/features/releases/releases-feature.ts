import { periodicJob } from '../../jobs/job-kind.ts';
import { ReleaseStore } from '../../releases/release-store.ts';
import { releaseTables } from '../../releases/release-tables.ts';
import type { Releases } from '../../releases/releases.ts';
import { accounts } from '../accounts/accounts-feature.ts';
import { defineFeature } from '../feature.ts';
import type { Content } from '../service-core.ts';
import { itemOperations } from './item-operations.ts';
import { PlannedReleases } from './planned-releases.ts';
import { publishOperations } from './publish-operations.ts';
import { releaseOperations } from './release-operations.ts';
import type { ReleaseParts } from './release-parts.ts';
import { ScheduledReleases } from './scheduled-releases.ts';

/** Changes of records that are published together. */
export const releases = defineFeature({
  name: 'releases',
  tables: releaseTables,
  async create({ database, settings, log, now, use }) {
    const { auth } = await use(accounts);
    const store = new ReleaseStore(database);
    const partsOf = ({ records, types }: Pick<Content, 'records' | 'types'>): ReleaseParts => {
      let loaded: Promise<Releases> | undefined;
      const load = () =>
        import('../../releases/releases.ts').then((code) => new code.Releases({ records, store, now }));
      return {
        ...{ records, types, store, now, maxPageSize: settings.cmsMaxPageSize },
        releases: () => {
          loaded ??= load();
          return loaded;
        },
      };
    };
    return {
      service: store,
      operations: (content) => {
        const parts = partsOf(content);
        content.records.planned = new PlannedReleases(parts, auth);
        return [...releaseOperations(parts), ...itemOperations(parts), ...publishOperations(parts)];
      },
      jobs: (content) => {
        const scheduled = new ScheduledReleases(partsOf(content), auth, log);
        const schedule = { cron: '19 * * * *', earlier: () => scheduled.dueAt() };
        return [
          periodicJob('editorial.releases', schedule, async ({ signal }) => {
            await scheduled.run(signal);
            return undefined;
          }),
        ];
      },
    };
  },
});
