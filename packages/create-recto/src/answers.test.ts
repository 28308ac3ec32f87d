import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAnswers } from './answers.ts';
import { packageManager } from './package-manager.ts';
import { templates } from './templates.ts';

/** Answers questions one by one; `asked` has the questions. */
function person(...answers: readonly string[]) {
  const asked: string[] = [];
  const ask = async (question: string): Promise<string> => {
    asked.push(question);
    return answers[asked.length - 1] ?? '';
  };
  return { asked, ask };
}

test('the command line says everything', async () => {
  expect(await readAnswers(['some-new-site', '--template', 'magazine', '--no-install'], undefined)).toEqual({
    ...{ kind: 'create', folder: 'some-new-site', name: 'some-new-site', install: false },
    template: expect.objectContaining({ name: 'magazine' }),
  });
  expect(await readAnswers(['some-new-site'], undefined)).toMatchObject({ template: templates[0], install: true });
});

test('a person is asked for what is missing, unless nothing is to be asked', async () => {
  const { ask, asked } = person('some-new-site', '2');
  expect(await readAnswers([], ask)).toMatchObject({ name: 'some-new-site', template: { name: 'magazine' } });
  expect(asked).toEqual(['Name of the project: ', expect.stringContaining('3  blog-from-wordpress: ')]);
  const other = person();
  expect(await readAnswers(['--yes', 'some-new-site'], other.ask)).toMatchObject({ template: templates[0] });
  expect(other.asked).toEqual([]);
});

const wrong: readonly [readonly string[], RegExp][] = [
  [[], /needs a name/],
  [['one', 'two'], /and not 2/],
  [['../up'], /cannot be a project name/],
  [['site', '--template', 'shop'], /no template "shop": choose blank, magazine, blog-from-wordpress\./],
  [['site', '--fast'], /--fast/],
];
test.each(wrong)('%j is no command line', async (args, reason) => {
  expect(await readAnswers(args, undefined)).toEqual({ kind: 'wrong', reason: expect.stringMatching(reason) });
});

test('a template that nobody has is asked for once', async () => {
  expect(await readAnswers(['some-new-site'], person('9').ask)).toMatchObject({ kind: 'wrong' });
});

test('a folder with something in it is refused, and one with a new repository is not', async () => {
  const before = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), 'create-recto-'));
  try {
    process.chdir(folder);
    mkdirSync('site/.git', { recursive: true });
    expect(await readAnswers(['site'], undefined)).toMatchObject({ kind: 'create' });
    writeFileSync('site/notes.txt', '');
    expect(await readAnswers(['site'], undefined)).toEqual({
      kind: 'refused',
      reason: expect.stringContaining('site is not empty (notes.txt), and nothing is overwritten.'),
    });
    process.chdir('site');
    expect(await readAnswers(['.'], undefined)).toMatchObject({ kind: 'refused' });
    rmSync('notes.txt');
    expect(await readAnswers(['.'], undefined)).toMatchObject({ kind: 'create', folder: '.', name: 'site' });
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
});

test('the package manager that runs the command installs the packages', () => {
  expect(packageManager({ npm_config_user_agent: 'pnpm/9.0.0 npm/? node/v20' })).toBe('pnpm');
  expect(packageManager({})).toBe('npm');
});
