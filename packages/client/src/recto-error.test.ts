import { describe, expect, test } from 'bun:test';
import { TestService } from '../../../test/service.ts';
import { RectoError } from './index.ts';

describe('an error of the service', () => {
  test('holds status, code, every field’s error and the request id', async () => {
    await using service = await TestService.open([]);
    const body = JSON.stringify({ email: 'no address', password: 'short' });
    const headers = { 'Content-Type': 'application/json' };
    const url = 'http://recto.test/api/v1/auth/register';
    const response = await service.app.fetch(new Request(url, { method: 'POST', headers, body }));
    const error = await RectoError.from(response);
    expect(error.status).toBe(422);
    expect(error.code).toBe('validation_failed');
    expect(error.errors.map(({ field }) => field).toSorted()).toEqual(['email', 'password']);
    expect(error.request_id).toBe(response.headers.get('x-request-id') ?? 'none');
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
    const error = await RectoError.from(response);
    expect(error).toMatchObject({ status: 502, code: 'unexpected_response', errors: [] });
    expect(error.message).toBe('The service answered with status 502.');
    expect(error.request_id).toBeUndefined();
  });
});
