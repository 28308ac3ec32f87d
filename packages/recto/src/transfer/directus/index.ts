import { defineImporter } from '../importers/importer.ts';
import { aboutDirectus } from './about.ts';
import { directusContent } from './directus-content.ts';
import { isDirectus, openDirectus } from './directus-source.ts';

export const directusImporter = defineImporter({
  ...aboutDirectus,
  detect: isDirectus,
  read: async (path, { workFolder, media }) => openDirectus(path, workFolder, media),
  map: directusContent,
});
