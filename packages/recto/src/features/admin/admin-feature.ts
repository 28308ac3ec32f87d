import { publicFiles } from '../../http/files/public-files.ts';
import { defineFeature } from '../feature.ts';
import { adminMount } from './admin-mount.ts';
import { rootMount } from './root-mount.ts';

/** The pages where people write, and a page at the root that leads there. */
export const admin = defineFeature({
  name: 'admin',
  create: ({ settings: { admin, publicDir } }) => ({
    mounts() {
      const site = publicDir === undefined ? undefined : publicFiles(publicDir);
      return admin ? [adminMount(), rootMount('/admin/', site)] : [rootMount(null, site)];
    },
  }),
});
