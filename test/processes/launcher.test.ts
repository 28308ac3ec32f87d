import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fromLauncher, RectoFolder } from '../support/processes/recto-process.ts';

// The command as it is installed, in a working folder that somebody else has prepared.

const note = 'singular = "note"\nplural = "notes"\nfields = [{ name = "text", field_type = "text" }]\n';

function preparedFolder(): RectoFolder {
  const folder = new RectoFolder({ 'note.toml': note });
  folder.write('bunfig.toml', 'preload = ["./first.ts"]\n');
  folder.write('first.ts', `await Bun.write(${JSON.stringify(join(folder.path, 'ran'))}, process.argv.join(' '));\n`);
  return folder;
}

test('no command runs what a bunfig.toml of the working folder names', async () => {
  using folder = preparedFolder();
  for (const words of [['--version'], ['check'], ['doctor']]) {
    const { out } = await folder.spawn(words, {}, fromLauncher).ended();
    expect(out).not.toBe('');
  }
  const service = folder.spawn(['start'], { RECTO_WORKERS: '2' }, fromLauncher);
  await service.url();
  service.kill('SIGTERM');
  expect((await service.ended()).exitCode).toBe(0);
  expect(existsSync(join(folder.path, 'ran'))).toBe(false);
}, 600_000);

test('a package that is missing is not fetched from a registry', async () => {
  using folder = new RectoFolder({
    'note.ts': `import 'a-package-that-is-not-there'; export default {};`,
  });
  const { exitCode, err } = await folder.spawn(['check'], {}, fromLauncher).ended();
  expect([exitCode, err]).toEqual([1, expect.stringContaining("Cannot find package 'a-package-that-is-not-there'")]);
  expect(err).not.toContain('registry');
}, 600_000);
