import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { TestService } from '../support/service.ts';

afterEach(() => {
  setSystemTime();
});

test('a test that takes longer than an access token lives goes on', async () => {
  await using service = await TestService.open([]);
  await service.account('ada', 'admin');
  setSystemTime(Date.now() + 3_600_000);
  expect((await service.send('GET /api/v1/admin/users', { as: 'ada' })).status).toBe(200);
});
