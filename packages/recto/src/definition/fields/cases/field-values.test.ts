import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../../test/support/random-cases.ts';
import { CompiledSchema } from '../../../values/compiled-schema.ts';
import type { JsonValue } from '../../../values/value-kind.ts';
import type { Field } from '../../content-type.ts';
import type { FieldType } from '../../field-type.ts';
import { type FieldTypeName, fieldTypeNames, fieldTypes } from '../index.ts';
import { cases } from './all-cases.fixture.ts';
import { fieldOf, fieldOfCase } from './field-case.fixture.ts';

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 50);

for (const one of cases) {
  const { type: name, options = {}, place, takes, rejects } = one;
  const type: FieldType = fieldTypes[name];
  const field = fieldOfCase(one);
  const schema = new CompiledSchema(type.input(field));
  describe(`${name} ${JSON.stringify(options)} ${place?.shape ?? ''}`, () => {
    test('has valid options', () => expect(type.checkOptions(options)).toEqual([]));
    test.each(takes.map(([sent, canonical]) => ({ title: shown(sent), sent, canonical })))('takes $title', (one) => {
      expect(schema.faults(one.sent)).toEqual([]);
      expect(type.parse(one.sent, field)).toEqual({ ok: true, value: one.canonical as never });
    });
    test.each(rejects.map(([sent, code]) => ({ title: shown(sent), sent, code })))('rejects $title', (one) => {
      const parsed = type.parse(one.sent, field);
      expect(parsed).toMatchObject({ ok: false, code: one.code });
      expect(parsed.ok || parsed.message).toMatch(/^[A-Z].*\.$/);
    });
  });
}

test('every field type has cases', () => {
  expect(new Set(cases.map(({ type }) => type))).toEqual(new Set(fieldTypeNames));
});

test('what a type returns is accepted by its output schema', () => {
  for (const one of cases) {
    const { type: name, takes } = one;
    const type: FieldType = fieldTypes[name];
    if (type.secret) continue;
    const field = fieldOfCase(one);
    const schema = new CompiledSchema(type.output(field));
    for (const [, canonical] of takes) {
      expect(schema.faults(typeof canonical === 'bigint' ? String(canonical) : canonical)).toEqual([]);
    }
  }
});

describe('properties', () => {
  const structures = new Map(cases.flatMap(({ type, structure }) => (structure ? [[type, structure] as const] : [])));
  const field = (name: FieldTypeName): Field => {
    const structure = structures.get(name);
    const options = name === 'enum' ? { enum_values: ['a', 'b'] } : {};
    return fieldOf(fieldTypes[name], options, structure === undefined ? {} : { structure });
  };
  const values = fc.oneof(
    fc.jsonValue(),
    fc.record({ title: fc.string(), views: fc.bigInt().map(String) }, { requiredKeys: [] }),
    fc.array(fc.stringMatching(/^-?\d{1,4}(\.\d{1,4})?$/), { minLength: 1, maxLength: 4 }),
    fc.array(fc.record({ block: fc.constantFrom('quote', 'odd'), text: fc.string(), id: fc.uuid() }), { maxLength: 3 }),
    fc.string({ unit: 'binary' }),
    fc.emailAddress(),
    fc.webUrl(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.bigInt().map(String),
    fc.stringMatching(/^[a-z0-9-]{0,8}$/),
    fc.stringMatching(/^-?\d{1,4}(\.\d{1,4})?$/),
    fc.stringMatching(/^[0-2]\d:[0-6]\d(:[0-6]\d(\.\d+)?)?$/),
  );

  test.each([...fieldTypeNames])('%s: what parses passes the schema, and parses again to the same', (name) => {
    const one = field(name);
    const schema = new CompiledSchema(one.type.input(one));
    fc.assert(
      // fast-check's JSON values are of this shape.
      fc.property(values as fc.Arbitrary<JsonValue>, (value) => {
        const parsed = one.type.parse(value, one);
        if (!parsed.ok) return;
        expect(schema.faults(value)).toEqual([]);
        const returned = typeof parsed.value === 'bigint' ? String(parsed.value) : parsed.value;
        expect(one.type.parse(returned, one)).toEqual(parsed);
      }),
      { numRuns: randomCases(300) },
    );
  });
});
