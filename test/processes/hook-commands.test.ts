import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { becomes } from '../support/database/database.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';

// Hooks, routes and jobs in a project's folders: how the commands treat them.

const note = `singular = "note"\nplural = "notes"\nfields = [{ name = "title", field_type = "text" }]
[api]\ncreate = { access = "public" }\n`;

/** Empty lines first, so that the lines of errors are to be found. */
const wrong = {
  'hooks/syntax.ts': `\n\nexport default {{;\n`,
  'hooks/throws.ts': `import { hooks } from 'recto';\n\nthrow new Error('at the top');\n`,
  'hooks/missing.ts': `\nimport { x } from './nowhere.ts';\nexport default x;\n`,
  'hooks/nothing.ts': `\nexport const a = 1;\n`,
  'hooks/phase.ts': `import { hooks } from 'recto';\nexport default hooks('note', {\n  before() {},\n  check: 1,\n});\n`,
  'hooks/waits.ts': `import { hooks } from 'recto';\nexport default hooks('note', {\n  async check() {},\n});\n`,
  'routes/one.ts': `import { route } from 'recto';\nexport default route({ method: 'GET', path: '/same/{id}', access: 'public', handler() {} });\n`,
  'routes/two.ts': `import { route } from 'recto';\nexport default route({\n  method: 'GET',\n  path: '/same/{name}', access: 'public', handler() {} });\n`,
  'routes/wrong.ts': `import { route } from 'recto';\nexport default route({\n  method: 'FETCH',\n  path: 'no',\n  access: 'all',\n  timeout: -1 });\n`,
  'jobs/never.ts': `import { cron } from 'recto';\n\nexport default cron('0 0 31 2 *', () => {});\n`,
  'jobs/odd.ts': `import { cron } from 'recto';\nexport default cron('each day', () => {});\n`,
};

const places = [
  /hooks\/missing\.ts:2: cannot be run: Cannot find module/,
  /hooks\/nothing\.ts:2: has no such default export/,
  /hooks\/phase\.ts:3 before: is no hook/,
  /hooks\/phase\.ts:4 check: must be a function/,
  /hooks\/syntax\.ts:3:\d+: cannot be run/,
  /hooks\/throws\.ts:3:\d+: cannot be run: .*at the top/,
  /hooks\/waits\.ts:3 check: must not be async/,
  /routes\/two\.ts:4 path: GET \/same\/\{name\} is the route of routes\/one\.ts/,
  /routes\/wrong\.ts:3 method: must be one of GET, POST, PUT, DELETE/,
  /routes\/wrong\.ts:4 path: must be a path/,
  /routes\/wrong\.ts:5 access: must be one of public, member, admin/,
  /routes\/wrong\.ts:6 timeout: must be a number of seconds/,
  /jobs\/never\.ts:3 schedule: never comes/,
  /jobs\/odd\.ts:2 schedule: is no cron expression/,
];

function project(files: Readonly<Record<string, string>>): RectoFolder {
  const folder = new RectoFolder({ 'note.toml': note });
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  return folder;
}

describe('code that cannot be loaded', () => {
  test('stops the start, of one process and of workers, and fails the check: every error with file and line', async () => {
    using folder = project(wrong);
    const runs = [
      folder.run(['check']),
      folder.run(['start']),
      folder.run(['start'], { RECTO_WORKERS: '2' }),
      folder.run(['check', '--json']),
      folder.run(['doctor', '--json']),
    ];
    const [check, start, workers, json, doctor] = await Promise.all(runs);
    for (const run of [check, start, workers]) {
      expect(run?.exitCode).toBe(1);
      for (const place of places) expect(run?.err).toMatch(place);
      expect(run?.err).toContain('15 errors in hooks, routes and jobs');
    }
    expect(JSON.parse(json?.out ?? '').faults).toHaveLength(15);
    const found = JSON.parse(doctor?.out ?? '').findings.find(({ check: name }: { check: string }) => name === 'hooks');
    expect(found).toMatchObject({ verdict: 'fail' });
  });

  test('for a type that there is not, or in a folder that is not there', async () => {
    using folder = project({
      'hooks/note.ts': `import { hooks } from 'recto';\n\nexport default hooks('nota', { check() {} });\n`,
    });
    const [check, start, named] = await Promise.all([
      folder.run(['check']),
      folder.run(['start']),
      folder.run(['check'], { RECTO_ROUTES_DIR: 'nowhere' }),
    ]);
    for (const run of [check, start]) {
      expect(run?.exitCode).toBe(1);
      expect(run?.err).toContain('hooks/note.ts:3: there is no content type nota — is it note?');
    }
    expect(named?.err).toContain('RECTO_ROUTES_DIR: there is no folder nowhere.');
  });
});

test('a check lists what there is, and dev serves what changes; what is wrong then changes nothing', async () => {
  const answer = (text: string) => `import { route } from 'recto';
import { word } from './lib/word.ts';
export default route({ method: 'GET', path: '/said', access: 'public', handler: () => word + '${text}' });\n`;
  using folder = project({
    'hooks/note.ts': `import { hooks } from 'recto';\nexport default hooks('note', { check({ record }) { record.title = 'one'; }, after() {} });\n`,
    'routes/said.ts': answer('one'),
    'routes/lib/word.ts': `export const word = 'said ';\n`,
    'jobs/night.ts': `import { cron } from 'recto';\nexport default cron('0 3 * * *', () => {});\n`,
  });
  const { out } = await folder.run(['check']);
  expect(out).toContain('1 content type in content-types/, 1 file of hooks, 1 route, 1 scheduled job, no errors.');
  for (const line of [
    'hooks/note.ts  check, after of note',
    'routes/said.ts  GET /api/v1/x/said',
    'jobs/night.ts  0 3 * * *',
  ])
    expect(out).toContain(line);

  const service = folder.spawn(['dev']);
  const url = await service.url();
  const said = async (): Promise<unknown> => (await fetch(`${url}/api/v1/x/said`)).json();
  const title = async (): Promise<unknown> => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
    return Object(await (await fetch(`${url}/api/v1/cms/notes`, init)).json()).title;
  };
  const both = async (): Promise<readonly unknown[]> => [await said(), await title()];
  expect(await both()).toEqual(['said one', 'one']);
  folder.write('routes/said.ts', answer('two'));
  await service.out(/Reloaded/);
  // A file that is written may be reported, and read, more than once.
  await becomes(both, ['said two', 'one']);
  folder.write(
    'hooks/note.ts',
    `import { hooks } from 'recto';\nexport default hooks('note', { check() { nonsense.x; } , wrong: 1 });\n`,
  );
  await service.err(/hooks\/note\.ts:2 wrong: is no hook/);
  expect(await both()).toEqual(['said two', 'one']);
  folder.write(
    'hooks/note.ts',
    `import { hooks } from 'recto';\nexport default hooks('note', { check({ record }) { record.title = 'three'; } });\n`,
  );
  await becomes(both, ['said two', 'three']);
  service.kill('SIGTERM');
  expect((await service.ended()).exitCode).toBe(0);
});

test('recto types --hooks writes what the example magazine has', async () => {
  const magazine = join(import.meta.dir, '../../examples/magazine');
  using folder = new RectoFolder();
  const environment = { RECTO_CONTENT_TYPES_DIR: join(magazine, 'content-types') };
  const { out } = await folder.run(['types', '--files', '--hooks'], environment);
  expect(out).toBe(readFileSync(join(magazine, 'recto.d.ts'), 'utf8'));
});
