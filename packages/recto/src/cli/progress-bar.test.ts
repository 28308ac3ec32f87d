import { expect, test } from 'bun:test';
import { ProgressBar } from './progress-bar.ts';

function terminal(interactive: boolean) {
  const written: string[] = [];
  return { written, out: () => {}, err: (text: string) => void written.push(text), environment: {}, interactive };
}

test('is drawn over itself, once for many steps, and at the end of a phase', () => {
  const { written, ...rest } = terminal(true);
  const bar = new ProgressBar(rest);
  for (let done = 0; done <= 1000; done += 1) bar.report('Reading', done, 1000);
  bar.report('Importing', 1, 4);
  expect(written.length).toBeLessThan(100);
  expect(written[0]).toBe(`\rReading    [${'.'.repeat(30)}]   0 %`);
  expect(written.at(-2)).toBe(`\rReading    [${'#'.repeat(30)}] 100 %`);
  expect(written.at(-1)).toBe(`\rImporting  [########${'.'.repeat(22)}]  25 %`);
  bar.clear();
  expect(written.at(-1)).toMatch(/^\r +\r$/);
});

test('nothing is drawn for an empty total or without a terminal', () => {
  const [watched, piped] = [terminal(true), terminal(false)];
  new ProgressBar(watched).report('Reading', 0, 0);
  const bar = new ProgressBar(piped);
  bar.report('Reading', 5, 10);
  bar.clear();
  expect([...watched.written, ...piped.written]).toEqual([]);
});
