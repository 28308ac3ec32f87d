// databases: sqlite:rest
import { expect, test } from 'bun:test';
import { builtInTypes } from '../features/index.ts';
import { checkDefinitions } from './check-definitions.ts';
import { oddDefinitions, oddFields } from './odd-definitions.fixture.ts';

// Whatever is wrong with a definition, it is reported at its place; nothing is thrown.

const check = (definition: unknown) => checkDefinitions([...builtInTypes, { file: 'odd.json', definition }]);
/** So many fields are checked at once: of each, what is wrong is reported. */
const together = 20;

test('fields of every type with every option and value', () => {
  const cases = oddFields();
  expect(cases.length).toBeGreaterThan(10_000);
  let right = 0;
  for (let at = 0; at < cases.length; at += together) {
    const fields = cases.slice(at, at + together);
    const named = fields.map((field, index) => ({ ...field, ...(field.name === 'x' ? { name: `x${index}` } : {}) }));
    const { faults = [] } = check({ singular: 'odd', plural: 'odds', fields: named });
    const wrong = new Set(faults.map(({ path }) => /^fields\[\d+\]/.exec(path)?.[0]));
    expect({ fields, wrong }).toEqual({ fields, wrong: new Set([...wrong].filter((path) => path !== undefined)) });
    for (const { message, remedy } of faults) {
      expect(`${message}${remedy}`).not.toMatch(/undefined|\[object|Invalid regular/);
    }
    right += fields.length - wrong.size;
  }
  expect(right).toBeGreaterThan(500);
});

test('definitions with every key and value', () => {
  const cases = oddDefinitions();
  expect(cases.length).toBeGreaterThan(2_000);
  for (const definition of cases) {
    const { types, faults } = check(definition);
    if (types !== undefined) continue;
    expect(faults.length).toBeGreaterThan(0);
    for (const { file, message, remedy } of faults) {
      expect(file).toBe('odd.json');
      expect(`${message}${remedy}`).not.toMatch(/undefined|\[object/);
    }
  }
});
