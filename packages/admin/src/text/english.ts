import type { Message } from './message.ts';

type AreaTexts = Readonly<Record<string, Message>>;

/**
 * English texts, by area, of the code that is loaded. A file of `en/` adds its own where it is imported, so that each area is loaded with the
 * screens that use it.
 */
export const englishTexts: Record<string, AreaTexts> = {};

/** Adds the texts of an area. */
export function english<const Own extends AreaTexts>(area: string, texts: Own): Own {
  englishTexts[area] = texts;
  return texts;
}
