import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerTo, type Block, normalised, projectRoot, readDocument } from '../support/documents.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';

// The commands of the pages on moving content in and out, run in order, with the sample site as `site.xml`.

const lacking = ['bash', 'curl'].filter((program) => Bun.which(program) === null);
const skipped = lacking.length === 0 ? '' : ` (skipped: there is no ${lacking.join(' and no ')} here)`;
const pages = ['docs/moving-from-wordpress.md', 'docs/backup-and-transfer.md', 'docs/csv.md'].map(readDocument);
/** What a command prints, where the page shows it. */
function shownAfter(blocks: readonly Block[], block: Block): string | undefined {
  const answer = answerTo(blocks, block, 'text');
  return answer?.info.includes('fault') === true ? undefined : answer?.text;
}

const commands = pages.flatMap((page) =>
  page.blocks
    .filter(({ language }) => language === 'sh')
    .map((block): [place: string, text: string, json: string | undefined, output: string | undefined] => [
      block.place,
      block.text,
      answerTo(page.blocks, block, 'json')?.text,
      shownAfter(page.blocks, block),
    ]),
);

describe.skipIf(lacking.length > 0)(`the pages on transfer${skipped}`, () => {
  const note = 'singular = "note"\nplural = "notes"\nfields = [{ name = "text", field_type = "text" }]\n';
  const admin = { RECTO_ADMIN_EMAIL: 'ada@example.com', RECTO_ADMIN_PASSWORD: 'correct horse' };
  let folder: RectoFolder;
  let service: RectoProcess;
  let url = '';
  let token = '';

  beforeAll(async () => {
    folder = new RectoFolder({ 'note.toml': note });
    copyFileSync(join(import.meta.dir, '../fixtures/wordpress-site.xml'), join(folder.path, 'site.xml'));
    const id = '01900000-0000-7000-8000-000000000001';
    writeFileSync(join(folder.path, 'notes-of-may.ndjson'), `{"id":"${id}","text":"x"}\n`);
    service = folder.spawn(['start'], admin);
    url = await service.url();
    const body = JSON.stringify({ email: admin.RECTO_ADMIN_EMAIL, password: admin.RECTO_ADMIN_PASSWORD });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', headers, body });
    // The answer of a login, which its own tests hold.
    token = ((await answer.json()) as { access_token: string }).access_token;
  }, 600_000);
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.ended();
    folder[Symbol.dispose]();
  });

  async function run(text: string) {
    const script = text
      .replaceAll('http://localhost:9898', url)
      .replaceAll('npx recto', `"${process.execPath}" "${join(projectRoot, 'packages/recto/src/cli/main.ts')}"`);
    const shell = Bun.spawn(['bash', '-eu', '-c', script], {
      cwd: folder.path,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { PATH: process.env.PATH ?? '', ADMIN: token, API: `${url}/api/v1` },
    });
    const [out, err] = await Promise.all([new Response(shell.stdout).text(), new Response(shell.stderr).text()]);
    return { out, err, exitCode: await shell.exited };
  }

  test('there are some', () => expect(commands.length).toBeGreaterThan(5));

  test.each(commands)('%s', async (_place, text, json, output) => {
    const { out, err, exitCode } = await run(text);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    if (json !== undefined) expect(normalised(JSON.parse(out))).toEqual(normalised(JSON.parse(json)));
    if (output !== undefined) expect(out).toBe(output);
    expect(out).not.toContain('urn:recto:problem');
  });

  test('errors are printed as the page shows them', async () => {
    const lines = [{ title: null }, { title: 'A title', status: 'Printed' }].map((more, index) =>
      JSON.stringify({ id: `01900000-0000-7000-8000-00000000000${index}`, ...more }),
    );
    mkdirSync(join(folder.path, 'faulty'));
    writeFileSync(join(folder.path, 'faulty/posts.ndjson'), lines.join('\n'));
    const { err, exitCode } = await run('npx recto import json faulty');
    expect(exitCode).toBe(1);
    expect(pages[1]?.blocks.filter(({ language }) => language === 'text').map(({ text }) => text)).toEqual([err]);
  });
});
