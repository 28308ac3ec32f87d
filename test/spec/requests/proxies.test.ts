import { describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

const proxy = '10.0.0.1';
const trustedProxies = [{ address: '10.0.0.0', prefix: 8 }];
const open = (): Promise<TestService> => TestService.open([], { builtIn: true, rateLimit: true, trustedProxies });

describe('rate limits behind a proxy', () => {
  const login = (service: TestService, peer: string, forwardedFor: string, count: number) =>
    service.send('POST /api/v1/auth/login', {
      peer,
      headers: { 'X-Forwarded-For': forwardedFor },
      body: { email: `nobody-${count}@example.com`, password: 'not the password' },
    });

  test('count each caller apart', async () => {
    await using service = await open();
    const statuses: number[] = [];
    for (let count = 0; count < 40; count++) {
      statuses.push((await login(service, proxy, `198.51.100.${count}`, count)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  test.each([
    ['a caller who writes addresses before their own', proxy, (count: number) => `203.0.113.${count}, 198.51.100.7`],
    ['a caller who names proxies', proxy, (count: number) => `203.0.113.${count}, 10.0.0.${count}, 198.51.100.7`],
    ['a caller who is not behind the proxy', '198.51.100.7', (count: number) => `203.0.113.${count}`],
  ])('cannot be evaded: %s', async (_, peer, forwardedFor) => {
    await using service = await open();
    let last = 0;
    for (let count = 0; count < 40 && last !== 429; count++) {
      last = (await login(service, peer, forwardedFor(count), count)).status;
    }
    expect(last).toBe(429);
  });
});

describe('links behind a proxy', () => {
  const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'cms.example.com' };
  const links = async (service: TestService, peer: string): Promise<string> =>
    (await service.send('GET /api/v1/pages/sitemap', { peer, headers })).json.items[0].loc;

  test('are those of the proxy', async () => {
    await using service = await open();
    await service.seed('pages', { title: 'About', status: 'Published' });
    expect(await links(service, proxy)).toBe('https://cms.example.com/api/v1/pages/about');
    expect(await links(service, '198.51.100.7')).toBe('http://recto.test/api/v1/pages/about');
  });
});
