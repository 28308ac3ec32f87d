import { aboutContentful } from '../contentful/about.ts';
import { aboutDirectus } from '../directus/about.ts';
import { aboutGhost } from '../ghost/about.ts';
import { aboutPocketbase } from '../pocketbase/about.ts';
import { aboutStrapi } from '../strapi/about.ts';
import type { AboutImporter, Importer } from './importer.ts';

/** An importer that is loaded when it is used. */
export interface ImporterEntry extends AboutImporter {
  load(): Promise<Importer>;
}

/** The systems that content comes from. The command line lists them. */
export const importers: readonly ImporterEntry[] = [
  { ...aboutPocketbase, load: async () => (await import('../pocketbase/index.ts')).pocketbaseImporter },
  { ...aboutContentful, load: async () => (await import('../contentful/index.ts')).contentfulImporter },
  { ...aboutDirectus, load: async () => (await import('../directus/index.ts')).directusImporter },
  { ...aboutGhost, load: async () => (await import('../ghost/index.ts')).ghostImporter },
  { ...aboutStrapi, load: async () => (await import('../strapi/index.ts')).strapiImporter },
];
