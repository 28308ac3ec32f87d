import { plugin } from 'bun';
import { compileModule } from 'svelte/compiler';

// Imported for what it does: modules with runes (`*.svelte.ts`) can be imported by a unit test, as the build compiles them. Components
// are empty.

const svelte = new URL('.', import.meta.resolve('svelte/package.json')).pathname;

/** What the packages lead to in a browser; to Bun they would lead to what draws pages on a server. */
export const runtime = (name: 'svelte' | 'svelte/reactivity'): string =>
  `${svelte}src/${name === 'svelte' ? '' : 'reactivity/'}index-client.js`;

plugin({
  name: 'runes',
  setup(build) {
    build.onLoad({ filter: /packages[/\\]admin[/\\]src[/\\].*\.svelte\.ts$/ }, async ({ path }) => {
      const untyped = new Bun.Transpiler({ loader: 'ts', target: 'browser' }).transformSync(
        await Bun.file(path).text(),
      );
      const { code } = compileModule(untyped, { filename: path, generate: 'client' }).js;
      const contents = code.replaceAll(
        /from ['"](svelte(?:\/reactivity)?)['"]/g,
        (_, name) => `from '${runtime(name)}'`,
      );
      return { contents, loader: 'js' };
    });
    build.onLoad({ filter: /packages[/\\]admin[/\\]src[/\\].*\.svelte$/ }, () => ({
      contents: 'export default function () {}',
      loader: 'js',
    }));
  },
});
