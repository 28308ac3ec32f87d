import { afterEach, beforeEach, expect, test } from 'bun:test';
import { afterFrame } from './after-frame.ts';

/** Frames that the test draws. */
const frames = new Map<number, () => void>();
let asked = 0;
const real = { ask: globalThis.requestAnimationFrame, cancel: globalThis.cancelAnimationFrame };

beforeEach(() => {
  frames.clear();
  globalThis.requestAnimationFrame = (run) => {
    asked += 1;
    frames.set(asked, () => run(0));
    return asked;
  };
  globalThis.cancelAnimationFrame = (id) => void frames.delete(id);
});

afterEach(() => {
  globalThis.requestAnimationFrame = real.ask;
  globalThis.cancelAnimationFrame = real.cancel;
});

function drawOnly(): void {
  const drawn = [...frames.values()];
  frames.clear();
  for (const frame of drawn) frame();
}

/** Draws the frames that are asked for, and lets the tasks run that were added to them. */
async function draw(): Promise<void> {
  drawOnly();
  await new Promise((resolve) => setTimeout(resolve));
}

test('all that waits for a frame shares it, and runs in order', async () => {
  const ran: string[] = [];
  for (const name of ['a', 'b', 'c']) afterFrame(() => ran.push(name));
  expect(frames.size).toBe(1);
  await draw();
  expect(ran).toEqual(['a', 'b', 'c']);
});

test('what is asked for while a frame is drawn waits for the next one', async () => {
  const ran: string[] = [];
  afterFrame(() => ran.push('first'));
  drawOnly();
  afterFrame(() => ran.push('second'));
  await new Promise((resolve) => setTimeout(resolve));
  expect(ran).toEqual(['first']);
  await draw();
  expect(ran).toEqual(['first', 'second']);
});

test('one can cancel itself, and another one that is about to run', async () => {
  const ran: string[] = [];
  const cancelled = afterFrame(() => ran.push('cancelled'));
  cancelled();
  let cancelThird = (): void => {};
  afterFrame(() => cancelThird());
  cancelThird = afterFrame(() => ran.push('third'));
  afterFrame(() => ran.push('fourth'));
  await draw();
  expect(ran).toEqual(['fourth']);
});

test('in a page that nobody sees, it runs without a frame', async () => {
  await new Promise<void>((resolve) => afterFrame(resolve));
  // The frame is not wanted any more.
  expect(frames.size).toBe(0);
});
