import { defineImporter } from '../importers/importer.ts';
import { aboutContentful } from './about.ts';
import { contentfulContent } from './contentful-content.ts';
import { isContentful, openContentful } from './contentful-source.ts';

export const contentfulImporter = defineImporter({
  ...aboutContentful,
  detect: isContentful,
  read: openContentful,
  map: contentfulContent,
});
