import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerTo, type Block, projectRoot, readDocument } from '../support/documents.ts';
import { runCommand } from '../support/processes/run-command.ts';
import { TestService } from '../support/service.ts';

// The examples of docs/roles.md: its roles and their errors, beside the example magazine, and the permissions of the first.

const { blocks } = readDocument('docs/roles.md');
const roles = blocks.filter(({ language, info }) => language === 'toml' && info.includes('role'));
const magazine = join(projectRoot, 'examples/magazine/content-types');

/** What `recto check` prints with one role beside the magazine. */
async function checked({ text }: Block): Promise<{ readonly exitCode: number; readonly printed: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-roles-'));
  try {
    writeFileSync(join(folder, 'writer.toml'), text);
    const environment = { RECTO_CONTENT_TYPES_DIR: magazine, RECTO_ROLES_DIR: folder };
    const { exitCode, out, err } = await runCommand(['check', '--files'], { environment });
    return { exitCode, printed: `${out}${err}`.replaceAll(folder, 'roles') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('roles', async () => {
  const sound = roles.filter(({ info }) => !info.includes('fault'));
  expect(sound.length).toBeGreaterThan(0);
  for (const block of sound) {
    const { exitCode, printed } = await checked(block);
    expect([exitCode, printed]).toEqual([0, expect.stringContaining('1 role, no errors.')]);
  }
});

test('errors', async () => {
  const [wrong] = roles.filter(({ info }) => info.includes('fault'));
  if (wrong === undefined) throw new Error('docs/roles.md shows no role with errors.');
  const { exitCode, printed } = await checked(wrong);
  const lines = answerTo(blocks, wrong, 'text')?.text.trimEnd();
  expect([exitCode, printed.trimEnd()]).toEqual([1, `3 errors in the roles:\n${lines}`]);
});

/** The example magazine with the first role of the page, which is its own. */
async function openMagazine() {
  const [role] = roles;
  const own = readFileSync(join(projectRoot, 'examples/magazine/roles/writer.toml'), 'utf8');
  expect(role?.text).toBe(own);
  const types = ['article', 'author', 'topic'].map((name) =>
    Bun.TOML.parse(readFileSync(join(magazine, `${name}.toml`), 'utf8')),
  );
  const service = await TestService.open(types, { roles: [Bun.TOML.parse(own)] });
  await service.account('wim', 'writer');
  return service;
}

test('permissions', async () => {
  await using service = await openMagazine();
  const shown = blocks.find(({ info }) => info.includes('permissions'));
  const { json } = await service.send('GET /api/v1/auth/me/permissions', { as: 'wim' });
  const { article } = json.types;
  expect({ ...json, types: { article } }).toEqual(JSON.parse(shown?.text ?? ''));
});

test('what the service says to a writer', async () => {
  await using service = await openMagazine();
  await service.account('ada', 'admin');
  const root = '/api/v1/admin/cms/articles';
  const send = (line: string, body: object, as = 'wim') => service.send(line, { as, body });
  const own = await send(`POST ${root}`, { title: 'On paper' });
  expect([own.status, own.json.status]).toEqual([201, 'draft']);
  const others = await send(`POST ${root}`, { title: 'On ink' }, 'ada');
  const change = async (id: string, body: object) => {
    const { status, json } = await send(`PUT ${root}/${id}`, body);
    return [status, json.code ?? null, json.errors?.[0]?.code ?? null];
  };
  expect(await change(own.json.id, { summary: 'Paper is patient.' })).toEqual([200, null, null]);
  expect(await change(others.json.id, { summary: 'Ink is not.' })).toEqual([403, 'rule_refused', null]);
  expect(await change(own.json.id, { status: 'published' })).toEqual([403, 'insufficient_role', null]);
  expect(await change(own.json.id, { featured: true })).toEqual([422, 'validation_failed', 'unknown_field']);
});
