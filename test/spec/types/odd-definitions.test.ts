// databases: sqlite:rest, postgres:rest
import { expect, test } from 'bun:test';
import { oddDefinitions, oddFields } from '../../../packages/recto/src/definition/odd-definitions.fixture.ts';
import { onPostgres } from '../../support/database/database.ts';
import { TestService } from '../../support/service.ts';

// Whatever definition is sent, the service takes it and serves it, or answers 422 with each place that is wrong.

const root = '/api/v1/admin/content-types';
const admin = { as: 'ada' } as const;
const title = { name: 'title', field_type: 'text' };

async function open(): Promise<TestService> {
  const service = await TestService.open([], { builtIn: true });
  await service.account('ada', 'admin');
  return service;
}

/** So many fields are sent at once: of each, what is wrong is reported. */
const together = 40;

test('fields of every type with every option and value', async () => {
  await using service = await open();
  const cases = oddFields();
  expect(cases.length).toBeGreaterThan(2_000);
  const right: object[] = [];
  for (let at = 0; at < cases.length; at += together) {
    const group = cases.slice(at, at + together).map((field, index) => ({ ...field, ...named(field, index) }));
    const body = { singular: 'odd', plural: 'odds', fields: [title, ...group] };
    const { status, json } = await service.send(`POST ${root}?dry_run=true`, { ...admin, body });
    expect([200, 422]).toContain(status);
    const wrong = new Set<number>();
    for (const { field, code, message } of json.errors ?? []) {
      expect({ field, code, message }).toEqual({
        field: expect.stringMatching(/^fields\[\d+\]/),
        code: expect.stringMatching(/^[a-z_]+$/),
        message: expect.stringMatching(/[.?!]$/),
      });
      wrong.add(Number(/\d+/.exec(field)?.[0]) - 1);
    }
    right.push(...group.filter((_, index) => !wrong.has(index)));
  }
  // What is right one by one is served.
  expect(right.length).toBeGreaterThan(500);
  for (let at = 0; at < right.length; at += 150) {
    const fields = [title, ...right.slice(at, at + 150).map((field, index) => ({ ...field, name: `f${index}` }))];
    const body = { singular: `odd${at}`, plural: `odds${at}`, fields };
    const made = await service.send(`POST ${root}`, { ...admin, body });
    if (made.status !== 422) expect(made.status).toBe(201);
    expect((await service.send(`GET /api/v1/cms/${body.plural}`)).status).toBe(made.status === 201 ? 200 : 404);
    const created = await service.send(`POST /api/v1/admin/cms/${body.plural}`, { ...admin, body: { title: 'x' } });
    expect(created.status).toBeLessThan(500);
  }
  expect((await service.send('GET /api/v1/openapi.json')).status).toBe(200);
});

/** Fields that are sent together have names of their own, but where the name is what is odd. */
const named = (field: Readonly<Record<string, unknown>>, index: number): object =>
  field.name === 'x' ? { name: `x${index}` } : {};

test('definitions with every key and value', async () => {
  await using service = await open();
  // All of them are checked without a service elsewhere, and nothing is stored: PostgreSQL sees a few of what it sees of fields above.
  const every = onPostgres ? 20 : 5;
  for (const body of oddDefinitions().filter((_, index) => index % every === 0)) {
    const { status, json } = await service.send(`POST ${root}?dry_run=true`, { ...admin, body });
    if (status === 200) continue;
    expect({ body, status }).toEqual({ body, status: 422 });
    expect(json.errors.length).toBeGreaterThan(0);
  }
});
