import { expect, test } from 'bun:test';
import { mayBecome, type Publishing } from '../../editor/publishing.ts';
import { moveFaultOf } from './move-fault.ts';

const values = ['draft', 'review', 'published'];
const publishing: Publishing = {
  ...{ values, initial: 'draft', published: 'published', scheduled: undefined, hasDrafts: false },
  transitions: {
    draft: [{ to: 'review', roles: undefined }],
    review: [
      { to: 'published', roles: ['editor'] },
      { to: 'draft', roles: undefined },
    ],
  },
  ...{ role: 'writer', mayPublish: true },
};

test('a change that is left to others names their roles', () => {
  expect(moveFaultOf(publishing, 'review', 'published')).toEqual({ kind: 'roles', roles: ['editor'] });
  expect(moveFaultOf({ ...publishing, role: 'editor' }, 'review', 'published')).toBeUndefined();
  expect(moveFaultOf({ ...publishing, role: 'admin' }, 'review', 'published')).toBeUndefined();
});

test('a change that no transition makes says which there are', () => {
  expect(moveFaultOf(publishing, 'draft', 'published')).toEqual({ kind: 'way', next: ['review'] });
  expect(moveFaultOf(publishing, 'published', 'draft')).toEqual({ kind: 'way', next: [] });
  expect(moveFaultOf(undefined, 'published', 'draft')).toBeUndefined();
});

test('without the right to publish, nothing becomes published or leaves it', () => {
  const free = { ...publishing, transitions: undefined, mayPublish: false };
  expect(moveFaultOf(free, 'draft', 'published')).toEqual({ kind: 'publish' });
  expect(moveFaultOf(free, 'published', 'draft')).toEqual({ kind: 'publish' });
  expect(moveFaultOf(free, 'draft', 'review')).toBeUndefined();
});

test('it allows what the form of a record allows', () => {
  for (const role of ['writer', 'editor', 'admin', undefined])
    for (const mayPublish of [true, false])
      for (const transitions of [publishing.transitions, undefined])
        for (const from of values)
          for (const to of values) {
            const one = { ...publishing, role, mayPublish, transitions };
            expect(moveFaultOf(one, from, to) === undefined).toBe(mayBecome(one, from, to));
          }
});
