import { defineImporter } from '../importers/importer.ts';
import { aboutStrapi } from './about.ts';
import { isStrapi, openStrapi } from './strapi-archive.ts';
import { strapiContent } from './strapi-content.ts';

export const strapiImporter = defineImporter({
  ...aboutStrapi,
  detect: isStrapi,
  read: openStrapi,
  map: strapiContent,
});
