import { expect, test } from 'bun:test';
import { withImages } from '../../../packages/recto/src/media/image-work.ts';
import { TestService } from '../../support/service.ts';
import { quarters, uploadForm, uploadRaw } from './media-calls.ts';

test('an upload for which no image can be decoded at the moment leaves nothing in the storage', async () => {
  await using service = await TestService.open([], { builtIn: true });
  await service.account('ada', 'admin');
  const bytes = await quarters(40, 20);
  const gate = Promise.withResolvers<void>();
  // More than run and wait: the rest is rejected.
  const works = Array.from({ length: 1_000 }, () => withImages(() => gate.promise).catch(() => undefined));
  for (const upload of [uploadRaw, uploadForm]) {
    const refused = await upload(service, bytes, { as: 'ada', name: 'a.png' });
    expect([refused.status, refused.json.code]).toEqual([503, 'images_busy']);
    expect(refused.headers.get('retry-after')).not.toBeNull();
  }
  const kept = await service.storedKeys();
  gate.resolve();
  await Promise.all(works);
  expect(kept).toEqual([]);
  expect((await uploadRaw(service, bytes, { as: 'ada', name: 'a.png' })).status).toBe(201);
});
