// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { migrateSchema } from '../../../packages/recto/src/migrations/migrate-schema.ts';
import { planSchema } from '../../../packages/recto/src/migrations/plan/schema-plan.ts';
import { onPostgres, openTestDatabase, type TestDatabase } from '../../support/database/database.ts';
import { expectSchemaAgrees } from '../../support/database/schema-agrees.ts';
import { RectoFolder } from '../../support/processes/recto-process.ts';
import { wholeSize } from './content.ts';
import { fill, recordsOf, servedBy, typesAfter } from './opened.ts';
import { definitionsAfter, steps } from './steps.ts';

test('a history of schema changes over a filled database ends with what a model of it predicts', async () => {
  expect(steps.length).toBeGreaterThanOrEqual(30);
  await using database = await openTestDatabase();
  const world = await fill(database, wholeSize);
  expect(await servedBy(recordsOf(database, typesAfter(0)), typesAfter(0), world)).toEqual(world.served());
  for (const [index, step] of steps.entries()) {
    const types = typesAfter(index + 1);
    try {
      const { plan } = await migrateSchema(database, types, { all: false, names: step.drop ?? [] });
      expect(plan.steps.length).toBeGreaterThan(0);
      step.model(world);
      expect(await servedBy(recordsOf(database, types), types, world)).toEqual(world.served());
      const { notes } = await planSchema(database, database.dialect, types);
      expect(notes).toEqual([]);
      if (!onPostgres) await expectSchemaAgrees(database.path);
    } catch (error) {
      throw new Error(`Step ${index + 1}, ${step.name}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
  await expectServed(database, world);
}, 3_600_000);

/** The same, read from a service that is started on the database with the last definitions as files. */
async function expectServed({ location }: TestDatabase, world: Awaited<ReturnType<typeof fill>>): Promise<void> {
  const definitions = definitionsAfter(steps.length);
  using folder = new RectoFolder(
    Object.fromEntries(definitions.map((definition, index) => [`type-${index}.json`, JSON.stringify(definition)])),
  );
  const account = { email: 'admin@example.com', password: 'correct horse battery' };
  const service = folder.spawn(['start'], {
    RECTO_DATABASE_URL: location.kind === 'postgres' ? location.url : `sqlite:${location.path}`,
    RECTO_ADMIN_EMAIL: account.email,
    RECTO_ADMIN_PASSWORD: account.password,
  });
  const url = await service.url();
  const login = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
  });
  const headers = { Authorization: `Bearer ${Reflect.get(Object(await login.json()), 'access_token')}` };
  const wanted = world.served();
  for (const [name, { served, fields }] of world.types) {
    if (!served) continue;
    const type = typesAfter(steps.length).get(name);
    const base = type.ownRoutes ? `${url}/api/v1/admin/${type.plural}` : `${url}/api/v1/admin/cms/${type.plural}`;
    const items: Record<string, unknown>[] = [];
    for (let page = 1; ; page++) {
      const answer = await fetch(`${base}?page=${page}&page_size=100`, { headers });
      // biome-ignore lint/suspicious/noExplicitAny: the body of a list.
      const body: any = await answer.json();
      items.push(...body.items);
      if (body.items.length === 0 || items.length >= body.total) break;
    }
    const shown = items.map((item) => [
      item.id,
      Object.fromEntries([...fields].map((field): [string, unknown] => [field, item[field]])),
    ]);
    expect({ name, records: Object.fromEntries(shown) }).toEqual({ name, records: wanted[name] });
  }
  const found = await fetch(`${url}/api/v1/admin/cms/articles?search=caf&page_size=1`, { headers });
  expect(Reflect.get(Object(await found.json()), 'total')).toBe(world.type('article').records.size);
  service.kill('SIGTERM');
  expect((await service.ended()).exitCode).toBe(0);
}
