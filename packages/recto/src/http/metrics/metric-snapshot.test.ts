import { expect, test } from 'bun:test';
import { sumOfTotals, sumText } from './metric-snapshot.ts';
import { Metrics } from './metrics.ts';

const list = { method: 'GET', path: '/api/v1/cms/articles' };

/** The metrics of a process that answered so many requests. */
async function snapshotOf(requests: number) {
  const metrics = new Metrics();
  for (let count = 0; count < requests; count += 1) metrics.observe({ operation: list, status: 200, seconds: 0.002 });
  metrics.watchCache(() => ({ hits: requests, misses: 0, bytes: 100, entries: 1 }));
  // As it comes from another process.
  return structuredClone(await metrics.snapshot());
}

const sampleOf = (text: string, sample: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${sample} `))
      ?.slice(sample.length),
  );

const requests = `recto_http_requests_total{route="${list.path}",method="GET",status="200"}`;
const within = `recto_http_request_duration_seconds_bucket{le="0.0025",route="${list.path}",method="GET"}`;

test('several processes are reported as one', async () => {
  const text = await sumText([await snapshotOf(2), await snapshotOf(3)]);
  expect(sampleOf(text, requests)).toBe(5);
  expect(sampleOf(text, within)).toBe(5);
  expect(sampleOf(text, 'recto_workers')).toBe(2);
  expect(sampleOf(text, 'recto_cache_bytes')).toBe(200);
  const start = sampleOf(text, 'process_start_time_seconds');
  expect(start).toBeGreaterThan(1_600_000_000);
  expect(start).toBeLessThanOrEqual(Date.now() / 1000 + 1);
});

test('what a process that is gone has counted is kept, and not what it held', async () => {
  const left = await sumOfTotals([await sumOfTotals([[], await snapshotOf(4)]), await snapshotOf(1)]);
  const text = await sumText([await snapshotOf(2), left]);
  expect(sampleOf(text, requests)).toBe(7);
  expect(sampleOf(text, within)).toBe(7);
  expect(sampleOf(text, 'recto_cache_hits_total')).toBe(7);
  expect(sampleOf(text, 'recto_workers')).toBe(1);
  expect(sampleOf(text, 'recto_cache_bytes')).toBe(100);
});
