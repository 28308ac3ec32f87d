import { describe, expect, test } from 'bun:test';
import { TestService } from '../../../test/support/service.ts';
import { createClient, isInvalid, RectoError, type RequestOptions } from './index.ts';

/** What a call fails with, once. */
async function failure(
  path: string,
  options: RequestOptions,
  fetch: (request: Request) => Promise<Response>,
): Promise<RectoError> {
  const recto = createClient({ url: 'http://recto.test', fetch, retries: 0 });
  const error: unknown = await recto.request('POST', path, options).catch((reason: unknown) => reason);
  if (!(error instanceof RectoError)) throw new Error(`This is no RectoError: ${error}`);
  return error;
}

describe('an error of the service', () => {
  test('holds status, code, every field’s error and the request id', async () => {
    await using service = await TestService.open([]);
    const body = { email: 'no address', password: 'short' };
    let requestId: string | null = null;
    const error = await failure('/auth/register', { body }, async (request) => {
      const response = await service.app.fetch(request);
      requestId = response.headers.get('x-request-id');
      return response;
    });
    expect(error.status).toBe(422);
    expect(error.code).toBe('validation_failed');
    expect(error.errors.map(({ field }) => field).toSorted()).toEqual(['email', 'password']);
    expect(error.request_id).toBe(requestId ?? 'none');
    expect(isInvalid(error)).toBe(true);
    expect(error.message).not.toBe('');
  });
});

describe('another response', () => {
  const odd: readonly [string, Response][] = [
    ['a page of a proxy', new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['no body', new Response(null, { status: 502 })],
    ['a list', Response.json([1], { status: 502 })],
    ['a problem whose members have other types', Response.json({ code: 7, errors: [{ field: 1 }] }, { status: 502 })],
  ];
  test.each(odd)('%s becomes an error all the same', async (_, response) => {
    const error = await failure('/x', {}, async () => response);
    expect(error).toMatchObject({ status: 502, code: 'unexpected_response', errors: [] });
    expect(error.message).toBe('The request failed: unexpected_response (status 502).');
    expect(error.request_id).toBeUndefined();
  });
});
