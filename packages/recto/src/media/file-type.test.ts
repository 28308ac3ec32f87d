import { expect, test } from 'bun:test';
import { mediaTypeOf } from './file-type.ts';

const typeOf = (text: string): Promise<string> => mediaTypeOf(new TextEncoder().encode(text));
const svg = 'image/svg+xml';
const unknown = 'application/octet-stream';

test.each([
  ['<svg>', svg],
  ['\n <svg/>', svg],
  ['\ufeff<SVG xmlns="http://www.w3.org/2000/svg">', svg],
  ['<s:svg xmlns:s="http://www.w3.org/2000/svg">', svg],
  ['<?xml version="1.0"?><!-- a --> <?xml-stylesheet href="a.css"?> <svg>', svg],
  ['<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><!-- > --><svg>', svg],
  ['<!doctype svg [<!ENTITY a "<b>">]><svg>', svg],
  ['<!-- <svg> -->', unknown],
  ['<!-- <svg>', unknown],
  ['<!DOCTYPE html><svg>x', svg],
  ['<html><svg>', unknown],
  ['<svgx>', unknown],
  ['svg', unknown],
  ['', unknown],
])('%j is %s', async (text, type) => {
  expect(await typeOf(text)).toBe(type);
});

// Whatever is tried again for each comment takes years for these.
test.each([
  ['many comments', '<!---->'.repeat(1_000)],
  ['comments that do not end', '<!--'.repeat(2_000)],
  ['many types', '<!doctype a>'.repeat(600)],
  ['types that do not end', '<!doctype ['.repeat(700)],
  ['white space', ' '.repeat(8_000)],
  ['a long prefix', `<${'s'.repeat(8_000)}`],
])('finds the type of %s in one go', async (_, text) => {
  expect(await typeOf(`${text}x`)).toBe(unknown);
  expect(await typeOf(`${'<!---->'.repeat(1_000)}<svg>`)).toBe(svg);
});
