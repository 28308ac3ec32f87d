import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import type { JsonValue } from '../../values/value-kind.ts';
import { jsonPatch } from './json-patch.ts';

function patched(before: JsonValue, after: JsonValue): unknown {
  const document = { value: structuredClone(before) };
  const operations = jsonPatch({ value: before }, { value: after });
  expect(applyPatch(document, structuredClone([...operations]))).toEqual(operations.map(() => null));
  return document.value;
}

const json = fc
  .jsonValue({ maxDepth: 4 })
  .map((value): JsonValue => JSON.parse(JSON.stringify(value)))
  // The library that applies patches here rejects members that lead to prototypes.
  .filter((value) => !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value)));

test('what the patch makes of the one is the other', () => {
  fc.assert(fc.property(json, json, (before, after) => expect(patched(before, after)).toEqual(after)));
});

test('a member named __proto__ is included like any other', () => {
  const [none, one] = [JSON.parse('{"a":{"b":1}}'), JSON.parse('{"a":{"b":1,"__proto__":""}}')];
  expect(JSON.stringify(jsonPatch(none, one))).toBe('[{"op":"replace","path":"/a","value":{"b":1,"__proto__":""}}]');
  expect(jsonPatch(one, none)).toEqual([{ op: 'replace', path: '/a', value: { b: 1 } }]);
  expect(jsonPatch(one, structuredClone(one))).toEqual([]);
});

test('what is equal has no patch', () => {
  fc.assert(fc.property(json, (value) => expect(jsonPatch(value, structuredClone(value))).toEqual([])));
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('long arrays are replaced as a whole, and equal ones left alone', () => {
  const [before, after] = [numbers(50_000), [-1, ...numbers(50_000)]];
  expect(jsonPatch({ a: before, b: before }, { a: after, b: numbers(50_000) })).toEqual([
    { op: 'replace', path: '/a', value: after },
  ]);
  expect(patched([numbers(1)], [numbers(20_000)])).toEqual([numbers(20_000)]);
});

test('arrays of large objects are compared no longer than they may be', () => {
  const wide = (seed: number) => Object.fromEntries(numbers(500).map((number) => [`k${number}`, number * seed]));
  const before = numbers(100).map((number) => wide(number + 1));
  const after = numbers(100).map((number) => wide(number + 2));
  expect(patched(before, after)).toEqual(after);
});
