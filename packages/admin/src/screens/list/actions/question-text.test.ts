import { expect, test } from 'bun:test';

import { mostUndone } from './bulk-actions.ts';
import { questionText } from './question-text.ts';

const noUndo = 'These are more than 10,000 records: this cannot be undone.';
const text = (action: Parameters<typeof questionText>[0]['action'], count: number, isAll = true, isSoft = false) =>
  questionText({ action, count, isAll }, isSoft) ?? '';

test('says before all records are changed whether that can be undone', () => {
  for (const action of ['publish', 'unpublish', 'archive', 'set'] as const) {
    expect(text(action, mostUndone)).not.toContain('undone');
    expect(text(action, mostUndone + 1)).toEndWith(noUndo);
    // Of those that were chosen, there are as many as a page has.
    expect(text(action, 3, false)).toBe('');
  }
});

test('says so of a deletion once: by whether records come back', () => {
  expect(text('delete', 3, false)).toBe('This cannot be undone.');
  expect(text('delete', mostUndone + 1)).not.toContain(noUndo);
  expect(text('delete', mostUndone + 1, true, true)).not.toContain('cannot be undone');
  expect(text('purge', 3, false, true)).toBe('This cannot be undone.');
});
