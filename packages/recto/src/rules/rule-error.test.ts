import { describe, expect, test } from 'bun:test';
import { RuleError } from './rule-error.ts';

const caretOf = (error: RuleError) => error.message.split('\n').slice(-2);

describe('a rule error', () => {
  test('shows the rule with carets under the place', () => {
    const error = new RuleError('Wrong.', 'a = bcd', { start: 4, end: 7 });
    expect(error.message).toBe('Wrong.\n  a = bcd\n      ^^^');
    expect([error.position, error.line, error.column]).toEqual([4, 1, 5]);
  });

  test('shows only the line of the error, counts code points and keeps the caret under tabs', () => {
    const source = 'a = "🙂"\n&&\t"🙂" = x\n&& c';
    const error = new RuleError('Wrong.', source, { start: source.indexOf('x'), end: source.indexOf('x') + 1 });
    expect(caretOf(error)).toEqual(['  && "🙂" = x', '           ^']);
    expect([error.line, error.column]).toEqual([2, 10]);
  });

  test('points behind the text for an error at the end', () => {
    expect(caretOf(new RuleError('Wrong.', 'a =', { start: 3, end: 3 }))).toEqual(['  a =', '     ^']);
    expect(caretOf(new RuleError('Wrong.', '', { start: 0, end: 0 }))).toEqual(['  ', '  ^']);
  });

  test('cuts a long line around the place', () => {
    const source = `${'a'.repeat(500)}X${'b'.repeat(500)}`;
    const [line = '', carets = ''] = caretOf(new RuleError('Wrong.', source, { start: 500, end: 1001 }));
    expect(line[carets.indexOf('^')]).toBe('X');
    expect([...line].length).toBeLessThan(110);
    expect(carets.length).toBeLessThan(110);
    expect(line).toStartWith('  …a');
    expect(line).toEndWith('b…');
  });

  test('gives carets to no more than the line of a place that goes on', () => {
    expect(caretOf(new RuleError('Wrong.', 'ab\ncd', { start: 1, end: 5 }))).toEqual(['  ab', '   ^']);
  });
});
