import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withBuiltInsIn } from '../../../test/support/definitions.ts';
import { contentTypesModule } from '../../recto/src/typegen/content-types-module.ts';
import { definitions } from './type-tests/types.fixture.ts';

const lines = (name: string): readonly string[] =>
  readFileSync(join(import.meta.dir, 'type-tests', name), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
const [good, bad] = [lines('compiles.ts.txt'), lines('fails.ts.txt')];

const head = `
import { createClient, createReader, inStorage, isInvalid, RectoError, type Result } from './client/index.ts';
import { createAdminClient } from './client/admin.ts';
import type { Content } from './content.ts';
const recto = createAdminClient<Content>({ url: 'https://cms.example.com' });
`;
const isolated = (line: string): string => (/^(?:void|for)\b/.test(line) ? line : `${line}\nexport {};`);

test('what is right compiles, and each mistake is an error of its own', async () => {
  expect([good.length >= 60, bad.length >= 60]).toEqual([true, true]);
  const folder = mkdtempSync(join(tmpdir(), 'recto-client-types-'));
  try {
    symlinkSync(import.meta.dir, join(folder, 'client'));
    writeFileSync(
      join(folder, 'content.ts'),
      contentTypesModule(withBuiltInsIn('en,de', ...definitions), { forClient: true }),
    );
    writeFileSync(join(folder, 'good.ts'), `${head}${good.join('\n')}\nexport {};\n`);
    writeFileSync(
      join(folder, 'bad.ts'),
      `${head}${bad.map((line) => `// @ts-expect-error\n${isolated(line)}`).join('\n')}\n`,
    );
    const compiler = join(import.meta.dir, '../../../node_modules/.bin/tsc');
    const options = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noUncheckedIndexedAccess',
      '--noEmit',
      '--skipLibCheck',
    ];
    const modules = [
      '--target',
      'es2022',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--allowImportingTsExtensions',
    ];
    const lib = ['--lib', 'es2022,dom,dom.iterable', '--types', '', '--preserveSymlinks'];
    const child = Bun.spawn([compiler, ...options, ...modules, ...lib, 'good.ts', 'bad.ts'], {
      cwd: folder,
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [out, exitCode] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 600_000);
