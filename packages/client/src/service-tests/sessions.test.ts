// databases: sqlite, postgres:rest
import { beforeAll, describe, expect, test } from 'bun:test';
import { createClient, inStorage } from '../index.ts';
import { credentials, failure, serviceOfFile, url } from './service.fixture.ts';

const { admin, watched } = serviceOfFile();

// What is public, for those who are not signed in.
beforeAll(async () => {
  await (await admin()).collection('topics').create({ name: 'Public' });
});

describe('a session', () => {
  test('is renewed when its token is no longer taken, without the call noticing', async () => {
    const { sent, fetch } = watched((request, count) =>
      count === 2 && request.headers.has('authorization')
        ? Response.json({ code: 'invalid_token' }, { status: 401 })
        : undefined,
    );
    const recto = await admin(fetch);
    expect(await recto.auth.me()).toMatchObject({ email: credentials.email });
    expect(sent.map((request) => new URL(request.url).pathname.split('/').at(-1))).toEqual([
      'login',
      'me',
      'refresh',
      'me',
    ]);
  });

  test('that begins while an earlier one is found to have ended goes on', async () => {
    const late = Promise.withResolvers<Response>();
    const begun = Promise.withResolvers<void>();
    let isOver = true;
    const { fetch } = watched((request) => {
      const { pathname } = new URL(request.url);
      if (!isOver || pathname.endsWith('/login')) return undefined;
      if (!pathname.endsWith('/refresh')) return Response.json({ code: 'invalid_token' }, { status: 401 });
      begun.resolve();
      return late.promise;
    });
    const recto = await admin(fetch);
    const ended: string[] = [];
    recto.auth.onEnd(() => ended.push('ended'));
    const earlier = recto.auth.me();
    await begun.promise;
    await recto.auth.login(credentials);
    isOver = false;
    late.resolve(Response.json({ code: 'invalid_refresh_token' }, { status: 401 }));
    expect(await earlier).toMatchObject({ email: credentials.email });
    expect(await recto.auth.signedIn()).toBe(true);
    expect(ended).toEqual([]);
  });

  test('that twenty tabs share is renewed once, and lives on', async () => {
    const entries = new Map<string, string>();
    const storage = {
      getItem: (key: string) => entries.get(key) ?? null,
      setItem: (key: string, value: string) => void entries.set(key, value),
      removeItem: (key: string) => void entries.delete(key),
    };
    const { sent, fetch } = watched();
    const tabs = Array.from({ length: 20 }, () => createClient({ url, fetch, session: inStorage(storage) }));
    await tabs[0]?.auth.login(credentials);
    // They wake up together, after the access token has ended.
    const kept = JSON.parse(entries.get('recto') ?? '{}');
    entries.set('recto', JSON.stringify({ ...kept, expires_at: 0 }));
    const accounts = await Promise.all(tabs.map((tab) => tab.auth.me()));
    expect(new Set(accounts.map(({ email }) => email))).toEqual(new Set([credentials.email]));
    expect(sent.filter(({ url }) => url.endsWith('/auth/refresh')).length).toBe(1);
    expect(await tabs[7]?.auth.refresh()).toBe(true);
    expect([...entries.keys()]).toEqual(['recto']);
  });

  test('that ends is over, and what is public can still be read', async () => {
    const recto = await admin();
    await recto.auth.logout();
    expect(await recto.auth.signedIn()).toBe(false);
    expect(await failure(recto.auth.me())).toMatchObject({ status: 401 });
    expect(await recto.auth.refresh()).toBe(false);
    expect((await recto.collection('topics').list()).total).toBeGreaterThan(0);
  });

  test('that the service has ended: the program hears of it once', async () => {
    const { fetch } = watched((request) =>
      request.url.includes('/me') || request.url.endsWith('/auth/refresh')
        ? Response.json({ code: 'invalid_token' }, { status: 401 })
        : undefined,
    );
    const recto = await admin(fetch);
    let ended = 0;
    recto.auth.onEnd(() => {
      ended += 1;
    });
    expect(await failure(recto.auth.me())).toMatchObject({ status: 401 });
    expect(await failure(recto.auth.me())).toMatchObject({ status: 401 });
    expect(ended).toBe(1);
    expect(await recto.auth.signedIn()).toBe(false);
  });
});
