import { describe, expect, test } from 'bun:test';
import { isInline } from './content-disposition.ts';

describe('what a browser may show itself', () => {
  test.each([
    ['image/png', true],
    ['video/mp4', true],
    ['application/pdf', true],
    ['IMAGE/PNG; q=1', true],
    ['image/svg+xml', false],
    ['image/svg+xml; charset=x', false],
    ['image/svg+xml;', false],
    ['image/SVG+XML', false],
    [' image/svg+xml', false],
    ['image/svg+xml\n', false],
    ['image/png, text/html', false],
    ['text/html', false],
    ['', false],
  ])('%j: %p', (type, expected) => {
    expect(isInline(type)).toBe(expected);
  });
});
