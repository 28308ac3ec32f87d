import { expect, test } from 'bun:test';
import { type CommentRecord, commentRecord } from './comment-record.ts';
import { threadOf } from './thread-of.ts';

const comment = (id: string, parent: string | null): CommentRecord => {
  const record = commentRecord({ id, parent_id: parent, content: id, created_at: id });
  if (record === undefined) throw new Error('It is a comment.');
  return record;
};

test('a thread is shown from its beginning, each comment before its replies', () => {
  const all = [comment('1', null), comment('2', null), comment('3', '1'), comment('4', '3'), comment('5', '1')];
  const shown = (id: string) => threadOf(all, id).map((entry) => `${entry.depth}:${entry.comment.id}`);
  const whole = ['0:1', '1:3', '2:4', '1:5'];
  expect([shown('4'), shown('1'), shown('5')]).toEqual([whole, whole, whole]);
  expect(shown('2')).toEqual(['0:2']);
  expect(shown('unknown')).toEqual([]);
  // What it answers may be out of reach.
  expect(threadOf([comment('9', '8')], '9').length).toBe(1);
});
