import { describe, expect, test } from 'bun:test';
import { onPostgres } from '../support/database/database.ts';
import { newPostgresDatabase } from '../support/database/postgres-place.ts';
import { RectoFolder, type RectoProcess } from '../support/processes/recto-process.ts';
import { TestService } from '../support/service.ts';

const noteType = {
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'title', field_type: 'text', required: true }],
  api: { create: { access: 'public' } },
};

describe.skipIf(onPostgres)('keys on a SQLite file', () => {
  test('that is busy: 503, and then the same key does it', async () => {
    await using service = await TestService.open([noteType], { database: { busyTimeoutMs: 50 } });
    service.expectErrors(/"code":"database_busy"/);
    const sent = { headers: { 'Idempotency-Key': crypto.randomUUID() }, body: { title: 'One' } };
    const other = await service.database.again();
    const held = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    const holding = other.transaction(async () => {
      taken.resolve();
      await held.promise;
    });
    await taken.promise;
    const refused = await service.send('POST /api/v1/cms/notes', sent);
    expect([refused.status, refused.json.code]).toEqual([503, 'database_busy']);
    held.resolve();
    await holding;
    await other.close();
    expect((await service.send('POST /api/v1/cms/notes', sent)).status).toBe(201);
  });

  test('are found by an index when they have expired', async () => {
    await using service = await TestService.open([noteType]);
    const plan = await service.database.rows<{ detail: string }>({
      sql: 'explain query plan select id from recto_idempotency_keys where expires_at <= 5 order by expires_at limit 5',
      parameters: [],
    });
    expect(plan.map(({ detail }) => detail).join()).toContain('recto_idempotency_keys$expires_at$index');
  });
});

describe('a process that is killed', () => {
  interface Kept {
    readonly status: number;
    readonly id: string;
  }

  async function post(url: string, key: string): Promise<Kept> {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': key };
    const body = JSON.stringify({ title: key });
    const response = await fetch(`${url}/api/v1/cms/notes`, { method: 'POST', headers, body });
    const { id } = (await response.json()) as { id: string };
    return { status: response.status, id };
  }

  test.each(['sqlite', 'postgres'] as const)(
    'has lost nothing that it answered, and repeating everything doubles nothing, on %s',
    async (kind) => {
      await using place = kind === 'postgres' ? await newPostgresDatabase() : undefined;
      using folder = new RectoFolder({ 'note.json': JSON.stringify(noteType) });
      const database = place === undefined ? {} : { RECTO_DATABASE_URL: place.url };
      const start = (): RectoProcess => folder.spawn(['start'], { RECTO_LOG_LEVEL: 'warn', ...database });
      const answered = new Map<string, string>();
      const keys = new Set<string>();
      for (const enough of [3, 40, 120]) {
        const recto = start();
        const url = await recto.url();
        const goal = answered.size + enough;
        // Each asks again as soon as it is answered, so that some requests are always between their commit and their answer.
        const ask = async (): Promise<void> => {
          for (;;) {
            const key = crypto.randomUUID();
            keys.add(key);
            answered.set(key, (await post(url, key)).id);
            if (answered.size >= goal) recto.kill('SIGKILL');
          }
        };
        await Promise.allSettled(Array.from({ length: 8 }, ask));
        await recto.ended();
      }
      const recto = start();
      const url = await recto.url();
      for (const key of keys) {
        const { status, id } = await post(url, key);
        expect(status).toBe(201);
        if (answered.has(key)) expect(id).toBe(answered.get(key) ?? '');
      }
      const list = await fetch(`${url}/api/v1/cms/notes?page_size=1`);
      expect(((await list.json()) as { total: number }).total).toBe(keys.size);
      recto.kill('SIGTERM');
      await recto.ended();
    },
    600_000,
  );
});
