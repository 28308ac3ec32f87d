import { expect, test } from 'bun:test';
import { checkDefinitions } from './check-definitions.ts';

/** A definition, or a part of one, as it is written. */
export type Part = Readonly<Record<string, unknown>>;

export const article = (parts: Part): Part => ({ singular: 'article', plural: 'articles', ...parts });

/** An article with a second field, `x`. */
export const withField = (field: Part): Part =>
  article({
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'x', ...field },
    ],
  });

export const author: Part = { singular: 'author', plural: 'authors', fields: [{ name: 'name', field_type: 'text' }] };

export const relation = (relation_type: string, target: string, more: Part = {}): Part => ({
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});

export const check = (...definitions: readonly unknown[]) =>
  checkDefinitions(definitions.map((definition, index) => ({ file: `${index}`, definition })));

/** The errors as `path`, `message` and `remedy`. */
export const faultsOf = (...definitions: readonly unknown[]) =>
  (check(...definitions).faults ?? []).map(({ path, message, remedy }) => ({ path, message, remedy }));

/** Definitions, their one error, and its message. */
export interface FaultCase {
  readonly of: readonly unknown[];
  readonly path: string;
  readonly message: RegExp;
  readonly remedy: RegExp;
}

/** Each case has its error and no other. */
export function testFaults(cases: readonly FaultCase[]): void {
  test.each(cases.map((one) => ({ title: JSON.stringify(one.of).slice(0, 110), ...one })))('$title', (one) => {
    const faults = faultsOf(...one.of);
    expect(faults.map(({ path }) => path)).toEqual([one.path]);
    expect(faults[0]?.message).toMatch(one.message);
    expect(faults[0]?.remedy).toMatch(one.remedy);
  });
}
