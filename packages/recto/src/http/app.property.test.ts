import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { sampleApp, sampleOperations } from '../../../../test/support/sample-app.ts';

const app = sampleApp({
  operations: sampleOperations.filter(({ id }) => !['broken', 'brokenLater', 'away'].includes(id)),
});

/** Whether the app answered, and not with a failure of its own. */
async function holds(url: string, init: RequestInit): Promise<void> {
  let request: Request;
  try {
    request = new Request(url, init);
  } catch {
    return; // No such request can be made.
  }
  const response = await app.fetch(request);
  expect(response.status).toBeLessThan(500);
  if (response.status >= 400) expect(response.headers.get('content-type')).toBe('application/problem+json');
}

const bytes = (of: fc.Arbitrary<Uint8Array>) => of.map((value) => new Uint8Array(value));
const jsonish = fc
  .array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'a', '1', 'null', '\ud800', '"title"', '\u0000', ' '))
  .map((pieces) => pieces.join(''));
const body = fc.oneof(
  bytes(fc.uint8Array({ maxLength: 1100 })),
  jsonish.map((text) => new TextEncoder().encode(text)),
  fc.json().map((text) => new TextEncoder().encode(text)),
  fc
    .record({ title: fc.anything(), items: fc.jsonValue() }, { requiredKeys: [] })
    .map((value) =>
      new TextEncoder().encode(JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part))),
    ),
);
const piece = fc.oneof(
  fc.constantFrom(
    '/',
    'pages',
    'things',
    'own',
    'filtered',
    '..',
    '%',
    '%2f',
    '%00',
    '%e9',
    '?',
    '&',
    '=',
    'page',
    '#',
    '+',
    ':',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY');

describe('whatever is sent, it is never a failure of the service', () => {
  test('random bodies', async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom('POST /things', 'PUT /pages/x'), async (sent, line) => {
        const [name = '', path = ''] = line.split(' ');
        await holds(`http://x${path}`, { method: name, body: sent, headers: { 'Content-Type': 'application/json' } });
      }),
      { numRuns: randomCases(500) },
    );
  });

  test('random paths and queries', async () => {
    await fc.assert(
      fc.asyncProperty(method, fc.array(piece, { maxLength: 12 }), async (name, pieces) => {
        await holds(`http://x/${pieces.join('')}`, { method: name });
      }),
      { numRuns: randomCases(1000) },
    );
  });

  test('random query strings', async () => {
    const path = fc.constantFrom('filtered', 'own', 'sync', 'needy');
    await fc.assert(
      fc.asyncProperty(path, fc.array(piece, { maxLength: 8 }), async (name, pieces) => {
        await holds(`http://x/${name}?${pieces.join('')}`, {});
      }),
      { numRuns: randomCases(1000) },
    );
  });

  test('random headers', async () => {
    const value = fc.string({ maxLength: 30 });
    const names = ['authorization', 'content-type', 'x-request-id', 'content-length', 'content-encoding', 'origin'];
    const headers = fc.dictionary(fc.constantFrom(...names), value);
    await fc.assert(
      fc.asyncProperty(headers, method, async (sent, name) => {
        let made: Headers;
        try {
          made = new Headers(sent);
        } catch {
          return; // No such header can be sent.
        }
        const content = name === 'GET' || name === 'HEAD' ? {} : { body: '{}' };
        await holds('http://x/things', { method: name, headers: made, ...content });
      }),
      { numRuns: randomCases(500) },
    );
  });
});
