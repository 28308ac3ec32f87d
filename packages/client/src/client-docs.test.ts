import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withBuiltIns } from '../../../test/definitions.ts';
import { projectRoot, readDocument } from '../../../test/documents.ts';
import { magazine } from '../../../test/magazine.ts';
import { contentTypesModule } from '../../recto/src/typegen/content-types-module.ts';

/** What the examples have around them. */
const around = `
import { createClient, isInvalid, RectoError } from '@recto/client';
import type { ArticleCreate, Content } from './content.ts';
declare const recto: ReturnType<typeof createClient<Content>>;
declare const form: ArticleCreate, email: string, password: string, id: string, file: File, signal: AbortSignal;
declare function show(text: string | undefined): void;
declare function showProgress(share: number): void;
declare function showOffline(): void;
declare function showRecord(record: object): void;
declare function hide(id: string): void;
declare function loadEverything(): Promise<void>;
`;

const pages = ['client.md', ...readdirSync(join(projectRoot, 'docs/client')).map((name) => `client/${name}`)];
const examples = pages.flatMap((page) =>
  readDocument(`docs/${page}`)
    .blocks.filter(({ language }) => language === 'ts')
    .map(({ text, place }) => ({ place, code: text.includes('import ') ? text : `${around}${text}` })),
);

test('every example in the pages of the client compiles', async () => {
  expect(examples.length).toBeGreaterThan(9);
  const folder = mkdtempSync(join(tmpdir(), 'recto-client-docs-'));
  try {
    mkdirSync(join(folder, 'node_modules/@recto/client'), { recursive: true });
    symlinkSync(import.meta.dir, join(folder, 'node_modules/@recto/client/src'));
    const manifest = { name: '@recto/client', type: 'module', exports: { '.': './src/index.ts' } };
    writeFileSync(join(folder, 'node_modules/@recto/client/package.json'), JSON.stringify(manifest));
    const types = withBuiltIns(...(await magazine()));
    writeFileSync(join(folder, 'content.ts'), contentTypesModule(types, { forClient: true }));
    const files = examples.map(({ place, code }, index) => {
      const name = `example-${index}.ts`;
      writeFileSync(join(folder, name), `// ${place}\n${code}\nexport {};\n`);
      return name;
    });
    const options = '--strict --noEmit --skipLibCheck --target es2022 --module esnext --moduleResolution bundler';
    const more = '--allowImportingTsExtensions --lib es2022,dom,dom.iterable --preserveSymlinks';
    const compiler = join(projectRoot, 'node_modules/.bin/tsc');
    const child = Bun.spawn([compiler, ...options.split(' '), ...more.split(' '), '--types', '', ...files], {
      cwd: folder,
      stdout: 'pipe',
    });
    const [out, exitCode] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 600_000);
