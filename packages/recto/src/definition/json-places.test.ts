import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { jsonPlaces, plainJson } from './json-places.ts';

/** JSON text whose objects may have a name twice, with space in it and strings that look like names. */
const { text: jsonText } = fc.letrec((tie) => ({
  text: fc.oneof(
    { maxDepth: 4 },
    tie('string'),
    fc.constantFrom('0', '-1.5e3', 'true', 'null'),
    tie('list'),
    tie('object'),
  ),
  string: fc
    .oneof(fc.string(), fc.constantFrom('a":', '\\":', '"', 'é', '__proto__'))
    .map((value) => JSON.stringify(value)),
  list: fc.array(tie('text'), { maxLength: 3 }).map((items) => `[${items.join(' ,')}]`),
  object: fc
    .array(fc.tuple(fc.constantFrom('"a"', '"b"', '"\\u0061"', '"x\\":"', '"__proto__"', '""'), tie('text')), {
      maxLength: 4,
    })
    .map((members) => `{${members.map(([name, value]) => `${name} :\n${value}`).join(',')} }`),
}));

test('what is read quickly is all that stands there', () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      const { error, repeated } = jsonPlaces(String(text));
      expect(error).toBeUndefined();
      const read = plainJson(String(text));
      expect(read).toEqual(repeated === undefined ? JSON.parse(String(text)) : undefined);
    }),
  );
});

test('what is no JSON is not read either way', () => {
  fc.assert(
    fc.property(jsonText, fc.nat(), fc.constantFrom('"', '{', ']', ',', ':', '\\', 'x', ''), (text, at, put) => {
      const whole = String(text);
      const place = at % (whole.length + 1);
      const changed = whole.slice(0, place) + put + whole.slice(place + 1);
      const { error, repeated } = jsonPlaces(changed);
      expect(plainJson(changed) === undefined).toBe(error !== undefined || repeated !== undefined);
    }),
  );
});

test('a text that is nested without end is rejected', () => {
  for (const deep of ['['.repeat(100_000), `${'['.repeat(102)}${']'.repeat(102)}`, '{"a":'.repeat(100_000)]) {
    expect(plainJson(deep)).toBeUndefined();
    expect(jsonPlaces(deep).error).toBeDefined();
  }
  expect(plainJson(`${'['.repeat(101)}${']'.repeat(101)}`)).toBeDefined();
});
