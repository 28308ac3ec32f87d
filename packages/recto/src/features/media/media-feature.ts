import { OutboundTargets } from '../../base/net/outbound-targets.ts';
import { periodicJob } from '../../jobs/job-kind.ts';
import { MediaFiles } from '../../media/media-files.ts';
import { type MediaServices, openMedia } from '../../media/media-services.ts';
import { mediaTables } from '../../media/media-tables.ts';
import { mediaType } from '../../media/media-type.ts';
import { MediaWriter } from '../../media/media-writer.ts';
import { ResumableUploads } from '../../media/resumable-uploads.ts';
import { UnusedFiles } from '../../media/unused-files.ts';
import { UploadStore } from '../../media/upload-store.ts';
import { VariantLeases } from '../../media/variant-leases.ts';
import { defineFeature } from '../feature.ts';
import type { Content, ServiceCore } from '../service-core.ts';
import { mediaOperations } from './media-operations.ts';
import { tusOperations } from './tus-operations.ts';

/** For one picture from another site. */
const fetchMs = 60_000;

/** Files: uploads, addresses, variants of images. */
export const media = defineFeature({
  name: 'media',
  configuredTypes: ({ mediaPresets }) => [mediaType(mediaPresets)],
  tables: mediaTables,
  checks: [async (installation) => (await import('./media-check.ts')).mediaFinding(installation)],
  create({ settings, secret, database, log }) {
    const services = openMedia({ settings, secret, database });
    const partsOf = partsIn({ settings, database, log, services });
    return {
      service: services,
      operations(content) {
        const found = partsOf(content);
        if (found === undefined) return [];
        const files = new MediaFiles(content.records, found.type, found.store);
        const fetcher = { targets: new OutboundTargets(settings.mediaFetchAllow), timeoutMs: fetchMs };
        const parts = { ...found, files, fetcher, presets: settings.mediaPresets };
        return [...mediaOperations(parts), ...tusOperations(found)];
      },
      jobs(content) {
        const found = partsOf(content);
        if (found === undefined) return [];
        const unused = new UnusedFiles(found);
        const schedule = { cron: '13 * * * *', earlier: (now: number) => unused.dueAt(now) };
        return [
          periodicJob('media.unused_files', schedule, async ({ signal }) => {
            await unused.run(signal);
            return undefined;
          }),
          periodicJob('media.expired_uploads', { cron: '37 * * * *' }, async ({ signal, now }) => {
            await found.uploads.removeExpired(now(), signal);
            await new VariantLeases(database).removeExpired(now());
            return undefined;
          }),
        ];
      },
    };
  },
});

interface MediaCore extends Pick<ServiceCore, 'settings' | 'database' | 'log'> {
  readonly services: MediaServices;
}

/** What the operations and jobs work with; undefined for a service without the type. */
const partsIn =
  ({ settings, database, log, services }: MediaCore) =>
  ({ types, records }: Content) => {
    const type = types.find('media');
    if (type?.builtIn !== true) return undefined;
    const limits = { maxBytes: settings.mediaMaxFile, types: settings.mediaTypes };
    const parts = { ...services, type, records, database };
    const writer = new MediaWriter({ ...parts, limits, log });
    const uploads = new ResumableUploads({ ...parts, uploads: new UploadStore(database.dialect), writer });
    return { ...parts, writer, uploads };
  };
