import { expect, test } from 'bun:test';
import { requestOrigin } from './request-origin.ts';

const asked = (url: string, headers: Record<string, string>): Request => new Request(url, { headers });

test.each<[headers: Record<string, string>, origin: string]>([
  [{}, 'http://10.0.0.5:9898'],
  [{ 'X-Forwarded-Proto': 'https' }, 'https://10.0.0.5:9898'],
  [{ 'X-Forwarded-Host': 'cms.example.com' }, 'http://cms.example.com'],
  [{ 'X-Forwarded-Proto': 'HTTPS', 'X-Forwarded-Host': 'cms.example.com' }, 'https://cms.example.com'],
  [{ 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'cms.example.com:443' }, 'https://cms.example.com'],
  [{ 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'cms.example.com:8443' }, 'https://cms.example.com:8443'],
  [{ 'X-Forwarded-Host': '[2001:db8::1]:8080' }, 'http://[2001:db8::1]:8080'],
  // The last one is what the proxy that is trusted says; what it passes on from others comes before.
  [
    { 'X-Forwarded-Proto': 'http, https', 'X-Forwarded-Host': 'evil.example, cms.example.com' },
    'https://cms.example.com',
  ],
  // What is neither is as good as not said.
  [{ 'X-Forwarded-Proto': 'javascript', 'X-Forwarded-Host': 'a/b' }, 'http://10.0.0.5:9898'],
  [{ 'X-Forwarded-Host': 'user@evil.example' }, 'http://10.0.0.5:9898'],
  [{ 'X-Forwarded-Host': 'cms.example.com:99999' }, 'http://10.0.0.5:9898'],
  [{ 'X-Forwarded-Host': '' }, 'http://10.0.0.5:9898'],
])('a trusted proxy says %p: %s', (headers, origin) => {
  expect(requestOrigin(asked('http://10.0.0.5:9898/api/v1/pages', headers), true)).toBe(origin);
});

test('what others say does not count', () => {
  const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'evil.example' };
  expect(requestOrigin(asked('http://10.0.0.5:9898/', headers), false)).toBe('http://10.0.0.5:9898');
});
