import { periodicJob } from '../../jobs/job-kind.ts';
import { MediaFiles } from '../../media/media-files.ts';
import { mediaTables } from '../../media/media-tables.ts';
import { mediaType } from '../../media/media-type.ts';
import { MediaWriter } from '../../media/media-writer.ts';
import { ResumableUploads } from '../../media/resumable-uploads.ts';
import { UnusedFiles } from '../../media/unused-files.ts';
import { UploadStore } from '../../media/upload-store.ts';
import { VariantLeases } from '../../media/variant-leases.ts';
import { defineFeature, type FeatureContext } from '../feature.ts';
import { mediaOperations } from './media-operations.ts';
import { tusOperations } from './tus-operations.ts';

/** Files: uploads, addresses, variants of images. */
export const media = defineFeature({
  name: 'media',
  configuredTypes: ({ mediaPresets }) => [mediaType(mediaPresets)],
  tables: mediaTables,
  operations(context) {
    const parts = partsOf(context);
    if (parts === undefined) return [];
    const files = new MediaFiles(context.records, parts.type, parts.store);
    return [...mediaOperations({ ...parts, presets: context.settings.mediaPresets, files }), ...tusOperations(parts)];
  },
  jobs(context) {
    const parts = partsOf(context);
    if (parts === undefined) return [];
    const unused = new UnusedFiles(parts);
    const schedule = { cron: '13 * * * *', earlier: (now: number) => unused.dueAt(now) };
    return [
      periodicJob('media.unused_files', schedule, async ({ signal }) => {
        await unused.run(signal);
        return undefined;
      }),
      periodicJob('media.expired_uploads', { cron: '37 * * * *' }, async ({ signal, now }) => {
        await parts.uploads.removeExpired(now(), signal);
        await new VariantLeases(context.records.database).removeExpired(now());
        return undefined;
      }),
    ];
  },
});

/** Undefined for a service without the type. */
function partsOf({ types, records, settings, media: services, log }: FeatureContext) {
  const type = types.find('media');
  if (type?.builtIn !== true) return undefined;
  const { database } = records;
  const limits = { maxBytes: settings.mediaMaxFile, types: settings.mediaTypes };
  const parts = { ...services, type, records, database };
  const writer = new MediaWriter({ ...parts, limits, log });
  const uploads = new ResumableUploads({ ...parts, uploads: new UploadStore(database.dialect), writer });
  return { ...parts, writer, uploads };
}
