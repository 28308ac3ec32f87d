import { isDeepStrictEqual } from 'node:util';
import { createPatch, type Operation, type Pointer } from 'rfc6902';
import type { JsonValue } from '../../values/value-kind.ts';

/** The shortest patch of two arrays takes time and memory by the product of their lengths. Longer ones are replaced completely. */
const mostPairs = 10_000;
const mostElements = 1_000;

/** The same for all that is compared, since what is in an array may be compared with each element of the other. */
const mostComparisons = 100_000;

/** The JSON Patch (RFC 6902) that makes `after` of `before`. */
export function jsonPatch(before: JsonValue, after: JsonValue): readonly Operation[] {
  let left = mostComparisons;
  return createPatch(before, after, (input: unknown, output: unknown, pointer: Pointer) => {
    const cost = isPrototypal(input) || isPrototypal(output) ? undefined : comparisons(input, output);
    if (cost !== undefined) left -= cost;
    if (cost !== undefined && left >= 0) return undefined;
    return isDeepStrictEqual(input, output) ? [] : [{ op: 'replace', path: pointer.toString(), value: output }];
  });
}

/** How many pairs of values are compared; undefined: too many. */
function comparisons(input: unknown, output: unknown): number | undefined {
  if (Array.isArray(input) && Array.isArray(output)) {
    const pairs = input.length * output.length;
    return pairs > mostPairs || input.length + output.length > mostElements ? undefined : pairs;
  }
  return isObject(input) && isObject(output) ? Object.keys(input).length + Object.keys(output).length : 0;
}

/** The library skips such members, so that no patch changes prototypes; an object that has one is replaced completely. */
const isPrototypal = (value: unknown): boolean => isObject(value) && Object.hasOwn(value, '__proto__');

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
