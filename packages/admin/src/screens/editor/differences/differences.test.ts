import { expect, test } from 'bun:test';
import { htmlText } from '../../../api/html-text.ts';
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

test('pictures are words of a text: their alternative text, or the name of the file', () => {
  const html = '<p>One<img alt="A > b" src="/media/1/a.jpg"> two<img src="/media/2/preview/b.jpg?v=1" alt=""></p>';
  expect(valueText('richtext', html)).toBe('One [A > b]  two [b.jpg]');
});

test('a text of signs that begin a tag is a text', () => {
  const signs = '<'.repeat(400_000);
  expect(htmlText(signs)).toBe(signs);
  expect(valueText('json', { note: signs })).toContain(signs);
  expect(htmlText('<p>a <b title="x">b</b></p>\n<p>c</p>')).toBe('a b\n\nc');
});
