import type { DefinitionSource } from '../definition/definition-source.ts';
import { commentType } from './comment-type.ts';
import { pageType } from './page-type.ts';
import { postType } from './post-type.ts';

/** The content types that ship with the product. A definition file adds fields to one with `extends = "page"`. */
export const builtInTypes: readonly DefinitionSource[] = [pageType, postType, commentType];
