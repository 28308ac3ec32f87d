import { defineImporter } from '../importers/importer.ts';
import { aboutGhost } from './about.ts';
import { ghostContent } from './ghost-content.ts';
import { isGhost, openGhost } from './ghost-source.ts';

export const ghostImporter = defineImporter({
  ...aboutGhost,
  detect: isGhost,
  read: openGhost,
  map: ghostContent,
});
