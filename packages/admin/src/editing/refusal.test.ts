import { expect, test } from 'bun:test';
import { RectoError } from '@recto/client';
import { refusalOf } from './refusal.ts';

const problem = (status: number, code: string): RectoError => new RectoError(status, { code, detail: '' });

test('a record is removed where the service says so, and not where a proxy has lost the service', () => {
  expect(refusalOf(problem(404, 'not_found'))).toEqual({ kind: 'removed' });
  expect(refusalOf(new RectoError(404, '<h1>Not found</h1>'))).toMatchObject({ kind: 'busy' });
});

test('what a request has made is known by its address where its response was not kept', () => {
  const made = Object.assign(problem(409, 'answer_not_kept'), { location: '/api/v1/admin/cms/notes/01a1fc67' });
  expect(refusalOf(made)).toEqual({ kind: 'done-before', id: '01a1fc67' });
  expect(refusalOf(problem(409, 'answer_not_kept'))).toEqual({ kind: 'done-before', id: null });
});
