import { describe, expect, test } from 'bun:test';
import { definitionsOf } from '../../../../test/support/definitions.ts';
import {
  article,
  author,
  type FaultCase,
  faultsOf,
  type Part,
  relation,
  withField,
} from './definition-faults.fixture.ts';

describe('names from before', () => {
  const renamed = (name: string, from: string): Part => ({ name, field_type: 'text', renamed_from: from });
  const cases: readonly FaultCase[] = [
    {
      of: [withField({ field_type: 'text', renamed_from: 'title' })],
      path: 'fields[1].renamed_from',
      message: /still has a field "title"/,
      remedy: /remove that field/,
    },
    {
      of: [article({ protocols: ['lockable'], fields: [renamed('a', 'lock_version')] })],
      path: 'fields[0].renamed_from',
      message: /still has a field "lock_version"/,
      remedy: /leave renamed_from out/,
    },
    {
      of: [article({ fields: [renamed('a', 'a')] })],
      path: 'fields[0].renamed_from',
      message: /still has a field "a"/,
      remedy: /leave renamed_from out/,
    },
    {
      of: [article({ fields: [renamed('a', 'old'), renamed('b', 'old')] })],
      path: 'fields[1].renamed_from',
      message: /"old" is given as fields\[0\]\.renamed_from already/,
      remedy: /in one of the two/,
    },
    {
      of: [article({ fields: [renamed('a', 'No name')] })],
      path: 'fields[0].renamed_from',
      message: /is no renamed from/,
      remedy: /"no_name"/,
    },
    {
      of: [
        { ...author, fields: [{ name: 'on', ...relation('many_to_one', 'articles') }] },
        article({ fields: [{ name: 'by', ...relation('one_to_many', 'authors'), renamed_from: 'x' }] }),
      ],
      path: 'fields[0].renamed_from',
      message: /means nothing on the mapped side/,
      remedy: /leave it out/,
    },
    {
      of: [author, article({ renamed_from: 'author' })],
      path: 'renamed_from',
      message: /"author" is still the name of the type in 0/,
      remedy: /remove that definition/,
    },
    {
      of: [article({ renamed_from: 'article' })],
      path: 'renamed_from',
      message: /"article" is still the name/,
      remedy: /leave renamed_from out/,
    },
    {
      of: [{ ...author, renamed_from: 'old' }, article({ renamed_from: 'old' })],
      path: 'renamed_from',
      message: /the type in 0 is renamed from "old" as well/,
      remedy: /the records go to one type/,
    },
  ];

  test.each(cases)('$path: $message', ({ of, path, message, remedy }) => {
    expect(faultsOf(...of)).toEqual([
      { path, message: expect.stringMatching(message), remedy: expect.stringMatching(remedy) },
    ]);
  });

  test('of a circle, each is reported', () => {
    expect(faultsOf(article({ fields: [renamed('a', 'b'), renamed('b', 'a')] })).map(({ path }) => path)).toEqual([
      'fields[0].renamed_from',
      'fields[1].renamed_from',
    ]);
  });

  test('are kept', () => {
    const types = definitionsOf(article({ renamed_from: 'old', fields: [renamed('a', 'b')] }));
    expect(types.get('article').renamedFrom).toBe('old');
    expect(types.get('article').field.get('a')?.renamedFrom).toBe('b');
  });
});
