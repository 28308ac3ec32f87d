import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { builtInTypes } from '../features/index.ts';
import { checkDefinitions } from './check-definitions.ts';
import { damaged, damages, type Json, notEnforced, soundDefinitions } from './damaged-definitions.fixture.ts';

// A written rule that is not applied shows everything to everyone. So a set of definitions is rejected, or all of it applies.

const checked = (definitions: readonly Json[]) =>
  checkDefinitions([...builtInTypes, ...definitions.map((definition, index) => ({ file: `${index}`, definition }))]);

describe('what definitions say holds in the types that are made of them', () => {
  test('where the definitions are right', () => {
    fc.assert(
      fc.property(soundDefinitions, (definitions) => {
        const { types, faults } = checked(definitions);
        expect(faults).toBeUndefined();
        if (types !== undefined) expect(notEnforced(definitions, types)).toEqual([]);
      }),
      { numRuns: randomCases(100) },
    );
  });

  test('or they are rejected, whatever was damaged', () => {
    fc.assert(
      fc.property(soundDefinitions, fc.array(damages, { minLength: 1, maxLength: 4 }), (sound, all) => {
        const definitions = all.reduce(damaged, sound);
        const { types, faults } = checked(definitions);
        if (types === undefined) expect(faults?.length).toBeGreaterThan(0);
        else expect(notEnforced(definitions, types)).toEqual([]);
      }),
      { numRuns: randomCases(1_000) },
    );
  });
});
