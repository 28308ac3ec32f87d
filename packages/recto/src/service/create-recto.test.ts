import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { newTestLocation, type TestLocation } from '../../../../test/support/database/database.ts';
import { createRecto, defineContentType, FatalError, type Recto, type RectoOptions } from '../index.ts';

const note = defineContentType({
  singular: 'note',
  plural: 'notes',
  fields: [{ name: 'text', field_type: 'text' }],
  api: { create: { access: 'public' } },
});

let place: TestLocation;

beforeEach(async () => {
  place = await newTestLocation();
});

afterEach(() => place[Symbol.asyncDispose]());

function create(options: RectoOptions = {}): Promise<Recto> {
  const { location } = place;
  const where = location.kind === 'postgres' ? { databaseUrl: location.url, databasePool: 3 } : {};
  const settings = { dataDir: place.folder, logLevel: 'silent', port: 0, ...where, ...options.settings };
  return createRecto({ definitions: [note], ...options, settings });
}

const post = (text: string): Request =>
  new Request('http://recto.test/api/v1/cms/notes', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  });

const statusOf = async (recto: Recto, path: string): Promise<number> =>
  (await recto.fetch(new Request(`http://recto.test${path}`))).status;

async function refusal(options: RectoOptions): Promise<string> {
  const error = await create(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(FatalError);
  return error instanceof FatalError ? error.message : '';
}

describe('in process', () => {
  test('answers without a port, and keeps what is stored', async () => {
    {
      await using recto = await create();
      expect((await recto.fetch(post('one'))).status).toBe(201);
      expect(recto.types.find('note')?.plural).toBe('notes');
      expect(await statusOf(recto, '/api/v1/pages')).toBe(200);
    }
    await using again = await create();
    const list = await again.fetch(new Request('http://recto.test/api/v1/cms/notes'));
    expect(await list.json()).toMatchObject({ total: 1, items: [{ text: 'one' }] });
  });

  test('is ready when it has started, and not any more when it has stopped', async () => {
    const recto = await create();
    expect(await statusOf(recto, '/api/v1/readyz')).toBe(503);
    expect((await recto.start({ listen: false })).url).toBeNull();
    expect(await statusOf(recto, '/api/v1/readyz')).toBe(200);
    await recto.stop();
    await recto.stop();
    expect(await statusOf(recto, '/api/v1/readyz')).toBe(503);
  });

  test('fetch can be passed to a server as it is', async () => {
    await using recto = await create({ settings: { rateLimit: true } });
    const server = Bun.serve({ port: 0, fetch: recto.fetch });
    try {
      const answer = await fetch(`${server.url}api/v1/cms/notes`);
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 200, body: { total: 0 } });
    } finally {
      await server.stop(true);
    }
  });
});

describe('start', () => {
  test('listens, and creates the first admin', async () => {
    await using recto = await create({ settings: { adminEmail: 'ada@example.com', adminPassword: 'correct horse' } });
    const { url, firstAdmin } = await recto.start();
    expect(firstAdmin).toEqual({ email: 'ada@example.com', generatedPassword: null });
    const login = await fetch(`${url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse' }),
    });
    expect(login.status).toBe(200);
  });

  test('without settings for the first admin, its password is generated', async () => {
    await using recto = await create();
    const { firstAdmin } = await recto.start({ listen: false });
    expect(firstAdmin?.generatedPassword).toBeString();
  });

  test('a port that is taken: an error, and everything is closed', async () => {
    const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    try {
      const recto = await create({ settings: { port: taken.port ?? 0 } });
      await expect(recto.start()).rejects.toThrow('another program uses this port');
      await using again = await create();
      expect(await statusOf(again, '/api/v1/cms/notes')).toBe(200);
    } finally {
      await taken.stop(true);
    }
  });
});

describe('rejected', () => {
  test('settings, all errors at once', async () => {
    // As a program in JavaScript may pass it.
    const settings = { prot: 8080, maxBody: 'much' } as RectoOptions['settings'] & object;
    const message = await refusal({ settings });
    expect(message).toContain('settings.prot: there is no such setting; did you mean port?');
    expect(message).toContain('settings.maxBody is "much": it must be');
  });

  test('the environment is not read', async () => {
    process.env.RECTO_MAX_BODY = 'much';
    try {
      await (await create()).stop();
    } finally {
      delete process.env.RECTO_MAX_BODY;
    }
  });

  test('definitions, by their place in the list', async () => {
    const wrong = {
      ...note,
      fields: [
        {
          name: 'text', // A name that no type has.
          field_type: 'txet' as 'text',
        },
      ],
    };
    expect(await refusal({ definitions: [wrong] })).toContain('definitions[0]');
    // The failed start closed what it had opened: nothing holds the database.
    await (await create()).stop();
  });
});
