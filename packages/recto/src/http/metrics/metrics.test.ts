import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { metricsOperation } from '../../features/metrics/metrics-operation.ts';
import type { RequestContext } from '../operation.ts';
import { Metrics } from './metrics.ts';
import { durationBounds, RequestTotals } from './request-totals.ts';

/** The samples of the text format, by name with labels; throws for an invalid line. */
function samples(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || /^# (HELP|TYPE) [a-z_]+ .+$/.test(line)) continue;
    const parts = /^([a-z_]+(?:\{(?:[a-z]+="(?:[^"\\]|\\.)*",?)*\})?) ([-+\d.eE]+)$/.exec(line);
    if (parts?.[1] === undefined) throw new Error(`not a sample: ${line}`);
    expect(found.has(parts[1])).toBe(false);
    found.set(parts[1], Number(parts[2]));
  }
  return found;
}

const list = { method: 'GET', path: '/api/v1/cms/articles' };
const get = { method: 'GET', path: '/api/v1/cms/articles/{id}' };

describe('a scrape', () => {
  test('counts requests by route, method and status', async () => {
    const metrics = new Metrics();
    for (const status of [200, 200, 304, 500]) metrics.observe({ operation: list, status, seconds: 0.002 });
    metrics.observe({ operation: get, status: 404, seconds: 0.3 });
    const found = samples(await metrics.text());
    const name = 'recto_http_requests_total';
    expect(found.get(`${name}{route="${list.path}",method="GET",status="200"}`)).toBe(2);
    expect(found.get(`${name}{route="${list.path}",method="GET",status="304"}`)).toBe(1);
    expect(found.get(`${name}{route="${list.path}",method="GET",status="500"}`)).toBe(1);
    expect(found.get(`${name}{route="${get.path}",method="GET",status="404"}`)).toBe(1);
  });

  test('twice returns the same, and what came between', async () => {
    const metrics = new Metrics();
    const sample = `recto_http_requests_total{route="${list.path}",method="GET",status="200"}`;
    metrics.observe({ operation: list, status: 200, seconds: 0 });
    expect(samples(await metrics.text()).get(sample)).toBe(1);
    expect(samples(await metrics.text()).get(sample)).toBe(1);
    metrics.observe({ operation: list, status: 200, seconds: 0 });
    expect(samples(await metrics.text()).get(sample)).toBe(2);
  });

  test('goes on where it was when the operations are made anew', async () => {
    const metrics = new Metrics();
    for (let made = 0; made < 100; made += 1) {
      for (const { method, path } of [list, get]) {
        metrics.observe({ operation: { method, path }, status: 200, seconds: 0 });
      }
    }
    const found = samples(await metrics.text());
    expect(found.get(`recto_http_requests_total{route="${list.path}",method="GET",status="200"}`)).toBe(100);
    expect(found.get(`recto_http_request_duration_seconds_count{route="${get.path}",method="GET"}`)).toBe(100);
    // These two, and what no route matches.
    expect([...metrics.figures().routes]).toHaveLength(3);
  });

  test('counts routes without end as one from some number on', () => {
    const metrics = new Metrics();
    const operations = Array.from({ length: 25_000 }, (_, type) => ({ method: 'GET', path: `/api/v1/cms/${type}` }));
    for (const operation of [...operations, ...operations]) metrics.observe({ operation, status: 200, seconds: 0 });
    const routes = [...metrics.figures().routes];
    expect(routes.length).toBeLessThan(21_000);
    expect(routes.reduce((sum, { totals }) => sum + totals.count, 0)).toBe(50_000);
    expect(routes.find(({ path }) => path === '/api/v1/cms/0')?.totals.count).toBe(2);
  });

  test('holds durations as a histogram', async () => {
    const metrics = new Metrics();
    for (const seconds of [0.001, 0.002, 60]) metrics.observe({ operation: list, status: 200, seconds });
    const found = samples(await metrics.text());
    const name = 'recto_http_request_duration_seconds';
    const labels = `route="${list.path}",method="GET"`;
    expect(found.get(`${name}_bucket{le="0.0005",${labels}}`)).toBe(0);
    expect(found.get(`${name}_bucket{le="0.001",${labels}}`)).toBe(1);
    expect(found.get(`${name}_bucket{le="0.0025",${labels}}`)).toBe(2);
    expect(found.get(`${name}_bucket{le="10",${labels}}`)).toBe(2);
    expect(found.get(`${name}_bucket{le="+Inf",${labels}}`)).toBe(3);
    expect(found.get(`${name}_count{${labels}}`)).toBe(3);
    expect(found.get(`${name}_sum{${labels}}`)).toBeCloseTo(60.003);
  });

  test('has one label for whatever matched no route', async () => {
    const metrics = new Metrics();
    for (let i = 0; i < 3; i++) metrics.observe({ operation: null, status: 404, seconds: 0 });
    const found = samples(await metrics.text());
    expect(found.get('recto_http_requests_total{route="unmatched",method="any",status="404"}')).toBe(3);
  });

  test('covers the database, the cache and the process', async () => {
    const metrics = new Metrics();
    metrics.watchCache(() => ({ hits: 5, misses: 2, bytes: 4096, entries: 3 }));
    metrics.databaseTime(0.25);
    metrics.databaseTime(0.5);
    const found = samples(await metrics.text());
    expect(Object.fromEntries(found)).toMatchObject({
      recto_database_statements_total: 2,
      recto_database_seconds_total: 0.75,
      recto_cache_hits_total: 5,
      recto_cache_misses_total: 2,
      recto_cache_bytes: 4096,
      recto_cache_entries: 3,
    });
    expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    expect(found.get('process_cpu_seconds_total')).toBeGreaterThan(0);
    const start = found.get('process_start_time_seconds') ?? 0;
    expect(start).toBeLessThanOrEqual(Date.now() / 1000 + 1);
    expect(start).toBeGreaterThan(1_600_000_000);
  });
});

test('a bucket counts what took at most its bound', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), fc.constantFrom(...durationBounds))),
      (all) => {
        const totals = new RequestTotals();
        for (const seconds of all) totals.add(200, seconds);
        for (const [bound, count] of totals.cumulative()) {
          expect(count).toBe(all.filter((seconds) => seconds <= bound).length);
        }
        expect(totals.count).toBe(all.length);
      },
    ),
  );
});

test('GET /metrics is text/plain; version=0.0.4', async () => {
  // The operation asks nothing of the request.
  const response = await metricsOperation(new Metrics()).handle({} as RequestContext);
  expect(response.headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
  expect(samples(await response.text()).size).toBeGreaterThan(3);
});
