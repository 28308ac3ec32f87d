import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withBuiltIns } from '../../../test/support/definitions.ts';
import { projectRoot, readDocument } from '../../../test/support/documents.ts';
import { magazine } from '../../../test/support/magazine.ts';
import { contentTypesModule } from '../../recto/src/typegen/content-types-module.ts';

/** What the examples have around them. */
const around = `
import { createClient, isInvalid, RectoError } from '@recto/client';
import type { ArticleCreate, Content } from './content.ts';
declare const recto: ReturnType<typeof createClient<Content>>;
declare const form: ArticleCreate, email: string, password: string, token: string, code: string, id: string, file: File, signal: AbortSignal;
declare function show(text: string | undefined): void;
declare function showProgress(share: number): void;
declare function showOffline(): void;
declare function showRecord(record: object): void;
declare function hide(id: string): void;
declare function loadEverything(): Promise<void>;
`;

/** As much of the frameworks as the examples use. They are not installed. */
const frameworks = `
declare namespace JSX { interface IntrinsicElements { [name: string]: unknown } }
declare module 'react/jsx-runtime' { export const jsx: unknown, jsxs: unknown, Fragment: unknown; }
declare function useState<T>(initial: T): [T, (value: T) => void];
declare function useEffect(effect: () => () => void, of: readonly unknown[]): void;
declare function report(error: unknown): void;
declare function $props(): { topic: string };
declare function $derived<T>(value: T): T;
declare function defineProps<T>(): T;
declare module 'vue' {
  export function ref<T>(value: T): { value: T };
  export function watchEffect(effect: (onCleanup: (end: () => void) => void) => unknown): void;
}
declare const Astro: { readonly props: Record<string, any> };
`;

interface Example {
  readonly place: string;
  readonly file: string;
  readonly code: string;
}

const pages = ['client.md', ...readdirSync(join(projectRoot, 'docs/client')).map((name) => `client/${name}`)];
const examples = pages.flatMap((page) =>
  readDocument(`docs/${page}`).blocks.flatMap(({ language, text, place }, index): readonly Example[] => {
    const code = typeScriptOf(language, text);
    if (code === undefined) return [];
    // The module that a page begins with, which its other examples import.
    const name = page.replace(/\W/g, '-');
    const shared = `./${name}-recto.ts`;
    if (text.includes('export const recto')) return [{ place, file: shared, code }];
    const imported = code.replace(/'[^']*\/recto\.ts'/, `'${shared}'`);
    const file = `${name}-${index}.${language === 'tsx' ? 'tsx' : 'ts'}`;
    if (language === 'ts') return [{ place, file, code: code.includes('import ') ? code : around + code }];
    const imports = imported.includes(shared) ? '' : `import { recto } from '${shared}';\n`;
    return [{ place, file, code: imports + imported }];
  }),
);

/** The part of a code block that is TypeScript. */
function typeScriptOf(language: string, text: string): string | undefined {
  if (language === 'ts' || language === 'tsx') return text;
  if (language === 'svelte' || language === 'vue') return /<script[^>]*>(.*?)<\/script>/s.exec(text)?.[1];
  return language === 'astro' ? /^---\n(.*?)^---$/ms.exec(text)?.[1] : undefined;
}

/** The same with a name that the client does not have, which has to be an error. */
const wrong = examples
  .filter(({ code, file }) => /recto\s*\.articles\b/.test(code) && !file.startsWith('./'))
  .map(({ place, file, code }) => ({
    place,
    file: `wrong-${file}`,
    code: code.replace(/recto(\s*)\.articles\b/, 'recto$1.articlez'),
  }));

test('every example in the pages of the client compiles, and would not with a wrong name', async () => {
  expect(examples.length).toBeGreaterThan(17);
  const framework = wrong.filter(({ place }) => place.includes('client/'));
  expect(new Set(framework.map(({ place }) => /client\/(\w+)/.exec(place)?.[1]))).toEqual(
    new Set(['astro', 'next', 'react', 'svelte', 'vue']),
  );
  const { lines, exitCode } = await compile([...examples, ...wrong]);
  const failed = lines.map((line) => /^(wrong-[^(]+)\(/.exec(line)?.[1] ?? line);
  expect(exitCode).not.toBe(0);
  expect([...new Set(failed)].toSorted()).toEqual(wrong.map(({ file }) => file).toSorted());
}, 600_000);

/** The errors of the compiler, a line each. */
async function compile(files: readonly Example[]) {
  const folder = mkdtempSync(join(tmpdir(), 'recto-client-docs-'));
  try {
    mkdirSync(join(folder, 'node_modules/@recto/client'), { recursive: true });
    symlinkSync(import.meta.dir, join(folder, 'node_modules/@recto/client/src'));
    // Every entry of the package, from its sources.
    const { name, exports } = JSON.parse(readFileSync(join(import.meta.dir, '../package.json'), 'utf8'));
    const entries = Object.keys(exports).map((entry) => [entry, exports[entry]['recto-source']]);
    const manifest = { name, type: 'module', exports: Object.fromEntries(entries) };
    writeFileSync(join(folder, 'node_modules/@recto/client/package.json'), JSON.stringify(manifest));
    const types = withBuiltIns(...(await magazine()));
    writeFileSync(join(folder, 'content.ts'), contentTypesModule(types, { forClient: true }));
    writeFileSync(join(folder, 'frameworks.d.ts'), frameworks);
    for (const { file, place, code } of files) writeFileSync(join(folder, file), `// ${place}\n${code}\nexport {};\n`);
    const options = '--strict --noEmit --skipLibCheck --target es2022 --module esnext --moduleResolution bundler';
    const more = '--allowImportingTsExtensions --lib es2022,dom,dom.iterable --preserveSymlinks --jsx react-jsx';
    const compiler = join(projectRoot, 'node_modules/.bin/tsc');
    const names = ['frameworks.d.ts', ...files.map(({ file }) => file)];
    const child = Bun.spawn([compiler, ...options.split(' '), ...more.split(' '), '--types', '', ...names], {
      cwd: folder,
      stdout: 'pipe',
    });
    const [out, exitCode] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    // A line that is indented belongs to the one before.
    return { lines: out.split('\n').filter((line) => /^\S/.test(line)), exitCode };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
