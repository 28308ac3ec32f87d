import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { environmentOf, newTestLocation } from '../support/database/database.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';

// A started service of one process, whose hooks run in the process that answers.

const note = `singular = "note"\nplural = "notes"\nfields = [{ name = "title", field_type = "text" }]
[api]\ncreate = { access = "public" }\nlist = { access = "public" }\n`;

const impatient = join(import.meta.dir, '../support/processes/impatient-service.ts');

const hook = `import { hooks } from 'recto';
export default hooks('note', { check({ record }) {
  if (record.title === 'leaves') void Promise.reject(new Error('left behind'));
  if (record.title === 'loops') for (;;) {}
} });\n`;

test('a service of one process outlives a rejected promise of a hook, and is replaced when a hook never returns', async () => {
  await using place = await newTestLocation();
  using folder = new RectoFolder({ 'note.toml': note });
  folder.write('hooks/note.ts', hook);
  const environment = {
    RECTO_SECRET: 'a secret that outlives every process',
    RECTO_RATE_LIMIT: 'off',
    ...environmentOf(place),
  };
  const service = folder.spawn([], environment, [process.execPath, impatient]);
  service.expectErrors(/a promise was rejected/, /a worker does not answer any more/, /a worker ended/);
  const url = await service.url();
  const create = (title: string): Promise<number> =>
    fetch(`${url}/api/v1/cms/notes`, {
      method: 'POST',
      keepalive: false,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title }),
    }).then(({ status }) => status);
  expect(await create('leaves')).toBe(201);
  await service.err(/left behind/);
  expect(await create('stays')).toBe(201);
  const looping = create('loops').catch(() => 'lost');
  await service.err(/a worker does not answer any more and is ended/);
  expect(await looping).toBe('lost');
  await service.err(/a worker was replaced/);
  expect(await create('back')).toBe(201);
  const list = await fetch(`${url}/api/v1/cms/notes`);
  expect(Object(await list.json()).total).toBe(3);
  service.kill('SIGTERM');
  expect((await service.ended()).exitCode).toBe(0);
}, 600_000);
