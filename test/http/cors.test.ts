import { expect, test } from 'bun:test';
import { TestService } from '../support/service.ts';

const origin = 'https://a.example';

/** What pages may read in any case. */
const always = ['cache-control', 'content-length', 'content-type'];

/** What is named in a list, as a header has it. */
const listed = (list: string | null): readonly string[] => list?.toLowerCase().split(', ') ?? [];

test('pages of other origins may send each header that an operation reads, and read each that it answers with', async () => {
  await using service = await TestService.open([], { builtIn: true, corsOrigins: [origin] });
  const preflight = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
  const { headers } = await service.send('OPTIONS /api/v1/media', { headers: preflight });
  const { operations } = service;
  const read = operations.flatMap((operation) => Object.keys(operation.headers ?? {}));
  const answered = operations
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap((response) => Object.keys(response.headers ?? {}));
  const missing = (names: readonly string[], list: string | null) =>
    [...new Set(names)].filter((name) => ![...listed(list), ...always].includes(name.toLowerCase()));
  expect(read).toContain('Last-Event-ID');
  expect(missing(read, headers.get('access-control-allow-headers'))).toEqual([]);
  expect(missing(answered, headers.get('access-control-expose-headers'))).toEqual([]);
});
