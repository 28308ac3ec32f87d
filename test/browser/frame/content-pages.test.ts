import { testPages } from './accessible-pages.ts';

testPages([
  '/',
  '/content/articles',
  '/content/articles/new',
  '/media',
  '/comments',
  '/types',
  '/types/article',
  '/nowhere',
]);
