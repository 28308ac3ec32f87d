import { isStorableText } from '../../values/text-kind.ts';

/** Arrays and objects inside one another; deeper ones make parsers of other programs give up. */
export const deepestJson = 64;

/** Why a value cannot be kept as JSON by every database; undefined when it can. */
export function jsonFault(value: unknown, depth = 0): { readonly code: string; readonly message: string } | undefined {
  switch (typeof value) {
    case 'string':
      return isStorableText(value) ? undefined : unstorable;
    case 'number':
      return Number.isFinite(value) ? undefined : { code: 'wrong_type', message: 'Numbers must be finite.' };
    case 'boolean':
      return undefined;
    case 'object':
      return value === null ? undefined : innerFault(value, depth + 1);
    default:
      return { code: 'wrong_type', message: 'Must be a JSON value.' };
  }
}

const unstorable = { code: 'invalid_text', message: 'Must not contain U+0000 or a lone surrogate.' };

function innerFault(value: object, depth: number): ReturnType<typeof jsonFault> {
  if (depth > deepestJson)
    return { code: 'too_deep', message: `Must not be nested deeper than ${deepestJson} levels.` };
  if (Array.isArray(value)) return firstFault(value, depth);
  return Object.keys(value).every(isStorableText) ? firstFault(Object.values(value), depth) : unstorable;
}

function firstFault(values: readonly unknown[], depth: number): ReturnType<typeof jsonFault> {
  for (const value of values) {
    const fault = jsonFault(value, depth);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
