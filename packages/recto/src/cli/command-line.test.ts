import { expect, test } from 'bun:test';
import { version } from '../base/version.ts';
import { runCommandLine } from './command-line.ts';

async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  let out = '';
  let err = '';
  const terminal = {
    out: (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
    environment,
  };
  const exitCode = await runCommandLine(args, terminal);
  return { exitCode, out, err };
}

test.each([[['--version']], [['-V']]])('%p prints the version', async (args) => {
  expect(await run(args)).toEqual({ exitCode: 0, out: `${version}\n`, err: '' });
});

test.each([[['--help']], [['help']]])('%p prints the commands and the settings', async (args) => {
  const { exitCode, out, err } = await run(args);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  for (const part of ['start', 'check', 'RECTO_PORT']) expect(out).toContain(part);
});

test.each([[['help', 'start']], [['check', '--help']]])('%p shows examples and exit codes', async (args) => {
  const { exitCode, out } = await run(args);
  expect(exitCode).toBe(0);
  expect(out).toContain('Examples:');
  expect(out).toContain('Exit codes:');
});

const mistakes: readonly [args: readonly string[], says: string][] = [
  [[], 'Usage: recto'],
  [['strat'], "unknown command 'strat'"],
  [['strat'], 'Did you mean start?'],
  [['start', '--prot'], "unknown option '--prot'"],
  [['start', 'now'], 'too many arguments'],
  [['check', '--json', 'x'], 'too many arguments'],
  [['schema', 'shwo'], "unknown command 'shwo'. It must be one of list, show, export."],
];
test.each(mistakes)('%p is a mistake', async (args, says) => {
  const { exitCode, out, err } = await run(args);
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
  expect(err).toContain(says);
  expect(err).toContain('Usage: recto');
});

test.each(['start', 'check'])('%s with wrong settings fails and lists all of them', async (command) => {
  const { exitCode, out, err } = await run([command], { RECTO_PORT: 'x', RECTO_FOO: '1' });
  expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
  expect(err).toContain('RECTO_PORT');
  expect(err).toContain('RECTO_FOO');
  expect(err).not.toContain('    at ');
});
