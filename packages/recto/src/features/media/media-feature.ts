import { mediaOperations } from '../../http/media/media-operations.ts';
import { MediaFiles } from '../../media/media-files.ts';
import { mediaTables } from '../../media/media-tables.ts';
import { mediaType } from '../../media/media-type.ts';
import { MediaWriter } from '../../media/media-writer.ts';
import { UnusedFiles } from '../../media/unused-files.ts';
import { defineFeature } from '../feature.ts';

/** Files: uploads, addresses, variants of images. */
export const media = defineFeature({
  name: 'media',
  configuredTypes: ({ mediaPresets }) => [mediaType(mediaPresets)],
  tables: mediaTables,
  operations({ types, records, settings, media: services, log }) {
    const type = types.find('media');
    if (type?.builtIn !== true) return [];
    const limits = { maxBytes: settings.mediaMaxFile, types: settings.mediaTypes };
    return mediaOperations({
      ...services,
      type,
      records,
      presets: settings.mediaPresets,
      writer: new MediaWriter({ records, type, ...services, limits, log }),
      files: new MediaFiles(records, type, services.store),
    });
  },
  jobs({ types, records, media: services }) {
    const type = types.find('media');
    if (type?.builtIn !== true) return [];
    const unused = new UnusedFiles({ records, type, ...services });
    return [{ name: 'unused files', run: (_, signal) => unused.run(signal).then(() => null) }];
  },
});
