import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { Figures, MeasuredRoute } from './metrics.ts';
import { processMetrics } from './process-metrics.ts';
import type { RequestTotals } from './request-totals.ts';

/** A registry that tells the figures as they are at each call. */
export function prometheusRegistry(read: () => Figures): Registry {
  const registry = new Registry();
  const { totals, cache } = read();
  const metrics = [
    requests(totals),
    durationHistogram(totals),
    total('recto_database_statements_total', 'Statements run by the database.', () => read().databaseStatements),
    total('recto_database_seconds_total', 'Time spent in statements, in seconds.', () => read().databaseSeconds),
    ...(cache === undefined ? [] : cacheMetrics(() => read().cache ?? cache)),
    level('recto_workers', 'Processes that serve.', () => 1),
    total('recto_worker_deaths_total', 'Workers that ended without being told to.', () => 0),
    ...processMetrics(),
  ];
  for (const metric of metrics) registry.registerMetric(metric);
  return registry;
}

function requests(totals: Figures['totals']): Metric {
  return new Counter({
    name: 'recto_http_requests_total',
    help: 'Requests answered, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [],
    collect() {
      this.reset();
      for (const [{ method, path }, route] of totals) {
        for (const [status, count] of route.statuses) this.inc({ route: path, method, status }, count);
      }
    },
  });
}

function cacheMetrics(read: () => NonNullable<Figures['cache']>): readonly Metric[] {
  return [
    total('recto_cache_hits_total', 'Answers taken from the response cache.', () => read().hits),
    total('recto_cache_misses_total', 'Answers that the response cache did not have.', () => read().misses),
    level('recto_cache_bytes', 'Memory taken by cached answers, in bytes.', () => read().bytes),
    level('recto_cache_entries', 'Cached answers.', () => read().entries),
  ];
}

function total(name: string, help: string, read: () => number): Counter {
  return new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

function level(name: string, help: string, read: () => number): Gauge {
  return new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(read());
    },
  });
}

/** prom-client's own `Histogram` takes single observations only; this one is filled with sums already made. */
function durationHistogram(totals: ReadonlyMap<MeasuredRoute, RequestTotals>): Metric {
  const name = 'recto_http_request_duration_seconds';
  const histogram: { readonly name: string; get(): Promise<object> } = {
    name,
    get: async () => ({
      name,
      help: 'Time from a request to its answer, in seconds, by route and method.',
      type: 'histogram',
      aggregator: 'sum',
      values: [...totals].flatMap(([route, sums]) => histogramValues(name, route, sums)),
    }),
  };
  // All that a registry asks of a metric is its name and `get()`.
  return histogram as unknown as Metric;
}

function histogramValues(name: string, { method, path }: MeasuredRoute, sums: RequestTotals): readonly object[] {
  if (sums.count === 0) return [];
  const labels = { route: path, method };
  const buckets: readonly (readonly [number | string, number])[] = [...sums.cumulative(), ['+Inf', sums.count]];
  return [
    ...buckets.map(([le, value]) => ({ metricName: `${name}_bucket`, labels: { le, ...labels }, value })),
    { metricName: `${name}_sum`, labels, value: sums.seconds },
    { metricName: `${name}_count`, labels, value: sums.count },
  ];
}
