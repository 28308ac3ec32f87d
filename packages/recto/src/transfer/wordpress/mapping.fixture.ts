import type { WxrComment, WxrItem } from './wxr-entry.ts';

export const now = '2026-11-21T10:00:00.000Z';

/** A published post as in an export, with the overrides of a test. */
export const item = (parts: Partial<WxrItem> = {}): WxrItem => ({
  id: '7',
  type: 'post',
  status: 'publish',
  title: 'A title',
  link: '',
  creator: 'ada',
  content: '',
  excerpt: '',
  slug: 'a-title',
  parent: '0',
  menuOrder: '0',
  date: '2020-05-17 12:00:00',
  dateGmt: '2020-05-17 10:00:00',
  modifiedGmt: '',
  commentStatus: 'open',
  password: '',
  sticky: '0',
  attachmentUrl: '',
  terms: [],
  meta: [],
  omittedMeta: 0,
  ...parts,
});

export const comment = (parts: Partial<WxrComment> = {}): WxrComment => ({
  id: '1',
  parent: '0',
  type: 'comment',
  approved: '1',
  author: 'Zoe',
  email: 'zoe@visitor.example',
  content: 'Well said.',
  date: '',
  dateGmt: '2020-05-18 10:00:00',
  userId: '0',
  ...parts,
});
