import { categoryType } from '../../builtin/category-type.ts';
import { pageType } from '../../builtin/page-type.ts';
import { postType } from '../../builtin/post-type.ts';
import { defineFeature } from '../feature.ts';
import { publicationOperations } from './publication-operations.ts';

/** Pages, and posts with their categories, tags and feeds. */
export const publications = defineFeature({
  name: 'publications',
  types: [pageType, categoryType, postType],
  create: ({ settings: { publicUrl } }) => ({
    operations: ({ types, records }) => publicationOperations({ types, records, publicUrl }),
  }),
});
