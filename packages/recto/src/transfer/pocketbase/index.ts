import { defineImporter } from '../importers/importer.ts';
import { aboutPocketbase } from './about.ts';
import { pocketbaseContent } from './pocketbase-content.ts';
import { isPocketbase, openPocketbase } from './pocketbase-source.ts';

export const pocketbaseImporter = defineImporter({
  ...aboutPocketbase,
  detect: isPocketbase,
  read: async (path, { workFolder, media }) => openPocketbase(path, workFolder, media),
  map: pocketbaseContent,
});
