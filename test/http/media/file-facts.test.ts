import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';
import { uploadRaw } from './media-calls.ts';
import { compressedPdf, flac, hostile, mp3, mp4, threePages, wav, webm } from './sample-files.ts';

// The pages of PDFs and the duration of audio and video.

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([], { builtIn: true });
  await service.account('edith', 'editor');
});
afterAll(() => service[Symbol.asyncDispose]());

const samples = {
  'a PDF': [threePages(), { mime_type: 'application/pdf', pages: 3, duration: null }],
  'a PDF with compressed objects': [compressedPdf(), { mime_type: 'application/pdf', pages: 2, duration: null }],
  'a WAV': [wav(3), { mime_type: 'audio/wav', pages: null, duration: 3 }],
  'a FLAC': [flac(5), { mime_type: 'audio/flac', pages: null, duration: 5 }],
  'an MP3': [mp3(200), { mime_type: 'audio/mpeg', pages: null, duration: 5.224 }],
  'an MP4': [mp4(7), { mime_type: 'video/mp4', pages: null, duration: 7 }],
  'an MP4 with long times': [mp4(8, 1), { mime_type: 'video/mp4', pages: null, duration: 8 }],
  'a WebM': [webm(4.5), { mime_type: 'video/webm', pages: null, duration: 4.5 }],
} as const;

test.each(Object.entries(samples))('of %s', async (_, [bytes, facts]) => {
  const { status, json } = await uploadRaw(service, bytes, { as: 'edith' });
  expect({ status, ...json }).toMatchObject({ status: 201, ...facts });
});

test('follow a file that is replaced', async () => {
  const { id } = (await uploadRaw(service, wav(2), { as: 'edith' })).json;
  const replaced = await service.send(`PUT /api/v1/media/${id}/file`, { as: 'edith', body: threePages() });
  expect(replaced.json).toMatchObject({ mime_type: 'application/pdf', pages: 3, duration: null });
});

test.each(Object.entries(hostile))('%s is stored, and what follows is read', async (_, bytesOf) => {
  const { status, json } = await uploadRaw(service, bytesOf(), { as: 'edith' });
  expect(status).toBe(201);
  expect([null, 1]).toContain(json.pages);
  expect(json.duration).toBeNull();
  expect((await uploadRaw(service, mp4(7), { as: 'edith' })).json.duration).toBe(7);
});
