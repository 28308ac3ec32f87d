import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../../packages/recto/src/cli/command-line.ts';
import { projectRoot, readDocument, tableRows } from '../support/documents.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';

const page = readDocument('docs/command-line.md');

/** The commands that do something, by what is typed. */
function commandsOf(command: Command, path: readonly string[]): readonly [name: string, command: Command][] {
  if (command.commands.length === 0) return [[path.join(' '), command]];
  return command.commands.flatMap((inner) => commandsOf(inner, [...path, inner.name()]));
}

const silent = { out: () => undefined, err: () => undefined, environment: {} };
const commands = commandsOf(
  createProgram(silent, () => undefined),
  ['recto'],
);
const documented = new Map(
  tableRows(page, 'Command').map(([name = '', options = '']) => [name.replace(/ [<[].*$/, ''), { name, options }]),
);

test.each(commands)('%s stands in the table, with its arguments and options', (name, command) => {
  const args = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
  expect(documented.get(name)).toEqual({
    name: [name, ...args].join(' '),
    options: command.options.map(({ long }) => long).join(', '),
  });
});

test.each(commands)('%s has help with examples and exit codes', async (_, command) => {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  expect(help).toContain('Examples:');
  expect(help).toContain('Exit codes:');
});

describe.skipIf(Bun.which('bash') === null)('the examples run', () => {
  let folder: RectoFolder;
  beforeAll(async () => {
    folder = new RectoFolder();
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    const main = join(projectRoot, 'packages/recto/src/cli/main.ts');
    writeFileSync(join(bin, 'recto'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
    const service = folder.spawn(['start']);
    await service.err(/"msg":"started"/);
    service.kill('SIGTERM');
    await service.ended();
  });
  afterAll(() => folder[Symbol.dispose]());

  const blocks = page.blocks.filter(({ language, info }) => language === 'sh' && info.includes('recto'));
  test.each(blocks.map(({ place, text }): [string, string] => [place, text]))(
    '%s',
    async (_, text) => {
      const shell = Bun.spawn(['bash', '-eu', '-o', 'pipefail', '-c', text], {
        cwd: folder.path,
        env: { PATH: `${join(folder.path, 'bin')}:${process.env.PATH}`, RECTO_PORT: '0' },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [err, exitCode] = await Promise.all([new Response(shell.stderr).text(), shell.exited]);
      expect({ err, exitCode }).toEqual({ err: '', exitCode: 0 });
    },
    600_000,
  );
});
