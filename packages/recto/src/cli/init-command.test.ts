import { expect, test } from 'bun:test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { templateNames } from 'create-recto';
import { patiently, RectoFolder } from '../../../../test/support/processes/recto-process.ts';
import { runCommand } from '../../../../test/support/processes/run-command.ts';
import { settingKeys, settingTable } from '../config/setting-table.ts';
import { readSettings } from '../config/settings.ts';
import { settingsTemplate } from './project/settings-template.ts';

const filesIn = (folder: string) => [...new Bun.Glob('**').scanSync({ cwd: folder, dot: true })].toSorted();
const made = [
  ...['.gitignore', 'README.md', 'client.ts'],
  ...['content-types/article.toml', 'content-types/author.toml', 'content-types/topic.toml'],
  ...['hooks/summary.ts', 'package.json', 'recto.toml', 'roles/writer.toml', 'tsconfig.json'],
];

test('creates a valid project that starts', async () => {
  using folder = new RectoFolder();
  const { exitCode, out, err } = await folder.run(['init', 'my site']);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  expect(out).toContain("cd 'my site'\n");
  const project = join(folder.path, 'my site');
  expect(filesIn(project)).toEqual(made);
  expect(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).name).toBe('site');

  const main = join(import.meta.dir, 'main.ts');
  const inProject = (command: string) =>
    Bun.spawn([process.execPath, main, command], {
      cwd: project,
      env: { PATH: process.env.PATH ?? '', RECTO_PORT: '0', ...patiently },
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: 600_000,
    });
  const check = inProject('check');
  expect(await new Response(check.stdout).text()).toStartWith(
    '3 content types in content-types/, 1 role, 1 file of hooks, no errors.\n',
  );
  expect(await check.exited).toBe(0);
  const doctor = inProject('doctor');
  expect(await doctor.exited).toBe(0);
  const service = inProject('start');
  const reader = service.stderr.getReader();
  let log = '';
  while (!log.includes('"msg":"started"')) {
    const { value, done } = await reader.read();
    if (done) throw new Error(log);
    log += new TextDecoder().decode(value);
  }
  service.kill('SIGTERM');
  expect(await service.exited).toBe(0);
});

test.each(templateNames)('%s is a template without errors', async (template) => {
  using folder = new RectoFolder();
  const project = join(folder.path, 'project');
  expect((await runCommand(['init', project, '--template', template])).exitCode).toBe(0);
  const roles = join(project, 'roles');
  const environment = {
    RECTO_CONTENT_TYPES_DIR: join(project, 'content-types'),
    ...(existsSync(roles) ? { RECTO_ROLES_DIR: roles } : {}),
  };
  expect(await runCommand(['check', '--files'], { environment })).toMatchObject({ exitCode: 0, err: '' });
});

test('a template that there is not is an error', async () => {
  using folder = new RectoFolder();
  const { exitCode, err } = await runCommand(['init', join(folder.path, 'x'), '--template', 'shop']);
  expect([exitCode, err]).toEqual([1, expect.stringContaining('choose blank, magazine, blog-from-wordpress.')]);
  expect(existsSync(join(folder.path, 'x'))).toBe(false);
});

test('overwrites nothing, and then creates nothing', async () => {
  using folder = new RectoFolder();
  const project = join(folder.path, 'site');
  expect((await runCommand(['init', project, '--json'])).exitCode).toBe(0);
  writeFileSync(join(project, 'recto.toml'), '# mine\n');
  const again = await runCommand(['init', project]);
  expect(again).toMatchObject({ exitCode: 1, out: '' });
  for (const name of made) expect(again.err).toContain(name);
  expect(readFileSync(join(project, 'recto.toml'), 'utf8')).toBe('# mine\n');

  const other = join(folder.path, 'other');
  folder.write('other/README.md', 'mine');
  expect((await runCommand(['init', other])).exitCode).toBe(1);
  expect(filesIn(other)).toEqual(['README.md']);
  expect((await runCommand(['init', join(other, 'README.md', 'x')])).err).toContain('cannot be created');
  expect(existsSync(join(other, 'recto.toml'))).toBe(false);
});

test('the settings file changes nothing, and its lines hold the defaults', () => {
  using folder = new RectoFolder();
  const file = join(folder.path, 'recto.toml');
  writeFileSync(file, settingsTemplate());
  expect(readSettings({}, file)).toEqual(readSettings({}));
  const lines = settingsTemplate().match(/^# [a-z_]+ = (?!"")/gm) ?? [];
  const known = settingKeys.filter((key) => !settingTable[key].secret && settingTable[key].default !== undefined);
  expect(lines.length).toBe(known.length);
  writeFileSync(file, settingsTemplate().replace(/^# (?=[a-z_]+ = (?!""))/gm, ''));
  // Where each value comes from is the one difference.
  expect({ ...readSettings({}, file), given: {} }).toEqual({ ...readSettings({}), given: {} });
});
