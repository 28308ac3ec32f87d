import { expect, test } from 'bun:test';
import { htmlText } from '../../api/html-text.ts';
import { textDifference } from './text-difference.ts';
import { valueText } from './value-text.ts';

// Each of these took minutes and more while the page stood still. They end, or the test times out.

test('texts with nothing in common are shown one after the other', () => {
  const [before, after] = ['a', 'b'].map((letter) =>
    Array.from({ length: 60_000 }, (_, index) => `${letter}${index}\n`).join(''),
  );
  expect(textDifference(before ?? '', after ?? '').map(({ kind }) => kind)).toEqual(['removed', 'added']);
  expect(textDifference('', after ?? '').map(({ kind }) => kind)).toEqual(['added']);
  expect(textDifference('on white paper', 'on paper').filter(({ kind }) => kind !== 'same').length).toBe(1);
});

test('a text of signs that begin a tag is a text', () => {
  const signs = '<'.repeat(400_000);
  expect(htmlText(signs)).toBe(signs);
  expect(valueText('json', { note: signs })).toContain(signs);
  expect(htmlText('<p>a <b title="x">b</b></p>\n<p>c</p>')).toBe('a b\n\nc');
});
