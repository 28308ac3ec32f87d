import { dirname } from 'node:path';
import type { BunPlugin } from 'bun';

const call = /import\.meta\.glob(?:<[\w\s]+>)?\('(\.\/[^']+|\.\.\/[^']+)', \{ import: '(\w+)' \}\)/g;

/** `import.meta.glob('./…', { import: '…' })` of Vite, for code that Bun bundles or tests. */
export const globImports: BunPlugin = {
  name: 'glob imports',
  setup(build) {
    build.onLoad({ filter: /[\\/]admin[\\/].*catalogues\.ts$/ }, async ({ path }) => {
      const source = await Bun.file(path).text();
      const contents = source.replaceAll(call, (_, pattern: string, name: string) => {
        const found = [...new Bun.Glob(pattern).scanSync(dirname(path))].toSorted();
        return `{${found.map((file) => `'${file}': () => import('${file}').then((module) => module.${name})`)}}`;
      });
      return { contents, loader: 'ts' };
    });
  },
};
