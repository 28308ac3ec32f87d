import { publicFiles } from '../../http/files/public-files.ts';
import { defineFeature } from '../feature.ts';

/** The files of a site beside the API. */
export const publicFilesFeature = defineFeature({
  name: 'public-files',
  create: ({ settings: { publicDir } }) => ({
    mounts: () => (publicDir === undefined ? [] : [publicFiles(publicDir)]),
  }),
});
