import { plugin } from 'bun';
import { globImports } from '../../packages/admin/glob-imports.ts';

declare global {
  // Vite's own types would also give the environment of a process values that are no text.
  interface ImportMeta {
    glob<T>(pattern: string, options: { readonly import: string }): Readonly<Record<string, () => Promise<T>>>;
  }
}

/** Lets tests import the admin's code that finds its languages as Vite does. Loaded before the tests by `bunfig.toml`. */
plugin(globImports);
