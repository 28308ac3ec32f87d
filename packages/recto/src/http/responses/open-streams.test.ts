import { expect, test } from 'bun:test';
import { OpenStreams } from './open-streams.ts';

const textOf = (body: ReadableStream<Uint8Array>): Promise<string> => new Response(body).text();

test('what a source writes, until it resolves', async () => {
  const streams = new OpenStreams();
  const body = streams.open(async ({ write }) => {
    for (const word of ['one ', 'two ', 'three']) await write(word);
  });
  expect(await textOf(body)).toBe('one two three');
  expect(streams.size).toBe(0);
});

test('a source waits for a reader that is slow', async () => {
  const streams = new OpenStreams();
  const chunk = new Uint8Array(10_000);
  let written = 0;
  const body = streams.open(async ({ write }) => {
    for (; written < 1_000; written += 1) await write(chunk);
  });
  const reader = body.getReader();
  await reader.read();
  expect(written).toBeLessThan(20);
  let length = chunk.length;
  for (let next = await reader.read(); !next.done; next = await reader.read()) length += next.value.length;
  expect(length).toBe(10_000_000);
});

test('a close ends a source that waits for its reader; what was written is still read', async () => {
  const streams = new OpenStreams();
  const chunk = new Uint8Array(100_000);
  const ended = Promise.withResolvers<unknown>();
  const body = streams.open(async ({ write }) => {
    await write(chunk).catch(ended.resolve);
    await write(chunk);
  });
  streams.close();
  expect(await ended.promise).toHaveProperty('name', 'AbortError');
  expect((await new Response(body).bytes()).length).toBe(100_000);
  expect(streams.size).toBe(0);
});

test('a close breaks off an answer that has to be whole', async () => {
  const streams = new OpenStreams();
  const body = streams.open(async ({ write }) => {
    for (;;) await write(new Uint8Array(100_000));
  }, 'whole');
  const reader = body.getReader();
  await reader.read();
  streams.close();
  const toItsEnd = async () => {
    while (!(await reader.read()).done);
  };
  expect(toItsEnd()).rejects.toThrow('The service is stopping.');
});

test('none is opened after a close', () => {
  const streams = new OpenStreams();
  streams.close();
  expect(() => streams.open(async () => undefined)).toThrow('The service is stopping.');
});
