import type { FieldFault } from '../../base/problem.ts';
import { isStorableText } from '../../values/text-kind.ts';

/** The members of a checked body with a text, or a list of texts, that not every database stores. */
export const textFaults = (sent: object): readonly FieldFault[] =>
  Object.entries(sent).flatMap(([field, value]: readonly [string, unknown]) => {
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (texts.every((text) => typeof text !== 'string' || isStorableText(text))) return [];
    return [{ field, code: 'invalid_text', message: 'Must not contain U+0000 or a lone surrogate.' }];
  });
