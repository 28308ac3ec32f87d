import { english } from '../english.ts';

/** English texts of the home page. */
export const home = english('home', {
  title: 'Home',
  mine: 'Continue writing',
  mineEmpty: 'Nothing yet. What you write appears here.',
  waiting: 'Waiting',
  waitingEmpty: 'Nothing waits for you.',
  drafts: { one: '{count} draft', other: '{count} drafts' },
  scheduled: { one: '{count} scheduled', other: '{count} scheduled' },
  pending: { one: '{count} comment to review', other: '{count} comments to review' },
  others: 'Recent changes by others',
  othersEmpty: 'Nobody else has changed anything yet.',
  broken: 'Needs attention',
  webhooks: {
    one: '{count} webhook has been disabled, because its receiver failed',
    other: '{count} webhooks have been disabled, because their receivers failed',
  },
  jobs: { one: '{count} job has failed', other: '{count} jobs have failed' },
  untitled: 'Untitled',
  gone: 'deleted',
  created: 'created',
  updated: 'changed',
  drafted: 'draft saved',
  deleted: 'deleted',
  published: 'published',
  unpublished: 'unpublished',
  restored: 'restored',
  by: 'by {name}',
  someone: 'the service',
  emptyTitle: 'There is no content yet',
  emptyText:
    'Content has types: articles, authors, products. Posts and pages are there already. Create a type of your own, or bring in a site that you have.',
  emptyEditor: 'There are no content types yet. An admin of this site can create one.',
  newType: 'Create a content type',
  import: 'Import a site',
  new: 'Create',
} as const);
