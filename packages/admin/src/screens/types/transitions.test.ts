import { expect, test } from 'bun:test';
import { withValues } from './definition.ts';
import { type Json, movesFrom, withMove } from './transitions.ts';

const transitions = { draft: ['review'], review: [{ to: 'published', roles: ['editor', 'chief'] }, 'draft'] };

test('moves are read and written back as they were', () => {
  expect(movesFrom(transitions, 'review')).toEqual([
    { to: 'published', roles: ['editor', 'chief'] },
    { to: 'draft', roles: [] },
  ]);
  expect(movesFrom(transitions, 'toString')).toEqual([]);
  expect(withMove(transitions, 'review', 'published', ['editor', 'chief'])).toEqual(transitions);
});

test('a move gets roles, loses them, and goes', () => {
  const limited = withMove(transitions, 'draft', 'review', ['writer']);
  expect(limited.draft).toEqual([{ to: 'review', roles: ['writer'] }]);
  expect(withMove(limited, 'draft', 'review', []).draft).toEqual(['review']);
  expect(withMove(transitions, 'review', 'draft', undefined).review).toEqual([
    { to: 'published', roles: ['editor', 'chief'] },
  ]);
  expect(withMove(transitions, 'published', 'draft', []).published).toEqual(['draft']);
});

test('statuses that are no longer there take their moves along', () => {
  const options: Json = { values: ['draft', 'review', 'published'], transitions };
  expect(withValues(options, 'values', ['draft', 'published'])).toEqual({
    values: ['draft', 'published'],
    transitions: { draft: [] },
  });
});
