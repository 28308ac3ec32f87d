import { expect, test } from 'bun:test';
import '../unit/runes.fixture.ts';

const { UndoHistory } = await import('./undo-history.svelte.ts');

function historyAt() {
  const clock = { now: 0 };
  return { clock, history: new UndoHistory(() => clock.now) };
}

test('typing without a rest is one step, and each field has its own', () => {
  const { clock, history } = historyAt();
  history.add('title', null, 'a');
  history.add('title', 'a', 'ab');
  history.add('body', '', 'x');
  history.add('title', 'ab', 'abc');
  clock.now = 5_000;
  history.add('title', 'abc', 'abcd');
  expect(history.undo()).toEqual([{ name: 'title', from: 'abcd', to: 'abc' }]);
  expect(history.undo()).toEqual([{ name: 'title', from: 'abc', to: 'ab' }]);
  expect(history.undo()).toEqual([{ name: 'body', from: 'x', to: '' }]);
  expect(history.undo()).toEqual([{ name: 'title', from: 'ab', to: null }]);
  expect(history.undo()).toEqual([]);
  expect(history.canUndo).toBe(false);
  expect(history.redo()).toEqual([{ name: 'title', from: null, to: 'ab' }]);
});

test('what is typed after an undo is a step of its own, and ends what could be done again', () => {
  const { history } = historyAt();
  history.add('title', null, 'a');
  history.undo();
  expect(history.canRedo).toBe(true);
  history.add('title', null, 'b');
  expect(history.canRedo).toBe(false);
  history.close();
  history.add('title', 'b', 'bc');
  expect(history.undo()).toEqual([{ name: 'title', from: 'bc', to: 'b' }]);
});

test('a value that stays the same is no step', () => {
  const { history } = historyAt();
  history.add('tags', ['a'], ['a']);
  expect(history.canUndo).toBe(false);
});

test('a long text does not fill the memory', () => {
  const { clock, history } = historyAt();
  const text = 'x'.repeat(1_000_000);
  for (let count = 0; count < 100; count += 1) {
    clock.now += 1_000;
    history.add('body', `${count}${text}`, `${count + 1}${text}`);
  }
  let steps = 0;
  while (history.undo().length > 0) steps += 1;
  expect(steps).toBeGreaterThan(10);
  expect(steps).toBeLessThan(25);
});

test('what changes several fields at once is one step, there and back', () => {
  const { history } = historyAt();
  history.add('title', null, 'a');
  history.addTogether([
    { name: 'title', before: 'a', after: 'Copied' },
    { name: 'body', before: null, after: 'Copied too' },
  ]);
  history.add('title', 'Copied', 'Copied!');
  expect(history.undo()).toEqual([{ name: 'title', from: 'Copied!', to: 'Copied' }]);
  const both = [
    { name: 'title', from: 'Copied', to: 'a' },
    { name: 'body', from: 'Copied too', to: null },
  ];
  expect(history.undo()).toEqual(both);
  expect(history.redo()).toEqual(both.map(({ name, from, to }) => ({ name, from: to, to: from })));
  expect(history.undo()).toEqual(both);
  expect(history.undo()).toEqual([{ name: 'title', from: 'a', to: null }]);
  expect([history.canUndo, history.undo()]).toEqual([false, []]);
});
