import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Block, projectRoot, readDocument } from '../support/documents.ts';

const { blocks } = readDocument('docs/embedding.md');

/** Each program with what it prints, which is the next block. */
const programs = blocks.flatMap((block, index): [string, Block, Block][] => {
  const next = blocks[index + 1];
  return block.language === 'ts' && next?.language === 'text' ? [[block.place, block, next]] : [];
});

test('there are some', () => expect(programs.length).toBeGreaterThan(1));

test.each(programs)('%s', async (_, program, printed) => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-embedding-'));
  try {
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
    await Bun.write(join(folder, 'program.ts'), program.text);
    const child = Bun.spawn([process.execPath, '--conditions=recto-source', 'program.ts'], {
      cwd: folder,
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect({ out, err, exitCode: await child.exited }).toEqual({ out: printed.text, err: '', exitCode: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
