import type { Catalogue } from './catalogue.ts';

/** Loads the texts of a language, by the path of its file. A folder with a `catalogue.ts` is a language; nothing else names it. */
const files = import.meta.glob<Catalogue>('./*/catalogue.ts', { import: 'texts' });

/** Loads the texts of each language but English, by its code, which is the name of its folder. */
export const catalogues: ReadonlyMap<string, () => Promise<Catalogue>> = new Map(
  Object.entries(files).map(([path, load]) => [path.split('/')[1] ?? '', load]),
);
