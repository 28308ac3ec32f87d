import { expect, test } from 'bun:test';
import { readTestArguments } from './test-arguments.ts';

const modules = new Map([
  ['records', ['./packages/recto/src/records/']],
  ['client', ['./packages/client/']],
]);
const read = (...given: readonly string[]) => readTestArguments(given, modules);

test('nothing given is everything, on both databases', () => {
  expect(read()).toEqual({ folders: [], options: [], postgres: true, rest: false });
  expect(read('--rest')).toEqual({ folders: [], options: [], postgres: true, rest: true });
});

test('a module runs alone on SQLite, and on both when asked', () => {
  expect(read('records')).toEqual({
    folders: ['./packages/recto/src/records/'],
    options: [],
    postgres: false,
    rest: false,
  });
  expect(read('records', '--postgres')).toMatchObject({ postgres: true });
});

test('paths and options of the test runner are passed on', () => {
  expect(read('test/spec/publications/posts.test.ts', '-t', 'records', '--watch', 'client')).toEqual({
    folders: ['./test/spec/publications/posts.test.ts', './packages/client/'],
    options: ['-t', 'records', '--watch'],
    postgres: false,
    rest: false,
  });
});

test('a name that no module has is an error that lists the modules', () => {
  expect(read('recordz')).toEqual({ error: 'There is no module "recordz". The modules are client, records.' });
});
