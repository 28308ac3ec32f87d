import { Counter, Gauge, type Metric, Registry } from 'prom-client';
import type { ReadPlaces } from '../../database/database.ts';
import type { FeatureMetric } from './feature-metric.ts';
import type { Figures, RouteTotals } from './figures.ts';
import { processMetrics } from './process-metrics.ts';

/** A registry that reads the figures anew at each call. */
export function prometheusRegistry(read: () => Figures): Registry {
  const registry = new Registry();
  const { cache, reads, features } = read();
  const routes = () => read().routes;
  const metrics = [
    requests(routes),
    durationHistogram(routes),
    total('recto_database_statements_total', 'Statements run by the database.', () => read().databaseStatements),
    total('recto_database_seconds_total', 'Time spent in statements, in seconds.', () => read().databaseSeconds),
    ...(cache === undefined ? [] : cacheMetrics(() => read().cache ?? cache)),
    ...(reads === undefined ? [] : replicaMetrics(() => read().reads ?? reads)),
    ...features.map((metric) => featureMetric(metric, () => read().features)),
    level('recto_workers', 'Processes that serve.', () => 1),
    total('recto_worker_deaths_total', 'Workers that exited unexpectedly.', () => 0),
    ...processMetrics(),
  ];
  for (const metric of metrics) registry.registerMetric(metric);
  return registry;
}

function requests(read: () => Figures['routes']): Metric {
  return new Counter({
    name: 'recto_http_requests_total',
    help: 'Requests answered, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [],
    collect() {
      this.reset();
      for (const { method, path, totals } of read()) {
        for (const [status, count] of totals.statuses) this.inc({ route: path, method, status }, count);
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

function replicaMetrics(read: () => ReadPlaces): readonly Metric[] {
  const labelNames = ['server'];
  const reads = new Counter({
    name: 'recto_database_reads_total',
    help: 'Reads of records that a replica may answer, by the server that did.',
    labelNames,
    registers: [],
    collect() {
      this.reset();
      const { primaryReads, replicas } = read();
      this.inc({ server: 'primary' }, primaryReads);
      for (const replica of replicas) this.inc({ server: replica.place }, replica.reads);
    },
  });
  const serving = new Gauge({
    name: 'recto_replica_serving',
    help: 'Processes that read from the replica; without it, the primary answers.',
    labelNames,
    registers: [],
    collect() {
      for (const { place, leftOut } of read().replicas) this.set({ server: place }, leftOut === null ? 1 : 0);
    },
  });
  const behind = new Gauge({
    name: 'recto_replica_behind_seconds',
    help: 'For how long the replica has lacked what the primary had, in seconds.',
    labelNames,
    registers: [],
    // Of several processes, the one that sees it farthest behind.
    aggregator: 'max',
    collect() {
      this.reset();
      for (const { place, secondsBehind } of read().replicas) {
        if (secondsBehind !== null) this.set({ server: place }, secondsBehind);
      }
    },
  });
  return [reads, serving, behind];
}

/** One of the same name may take its place later. */
function featureMetric(declared: FeatureMetric, read: () => readonly FeatureMetric[]): Metric {
  const { name, help, labelNames, aggregate = 'sum' } = declared;
  const values = async () =>
    (await read()
      .find((metric) => metric.name === name)
      ?.read()) ?? [];
  const common = { name, help, labelNames: [...labelNames], registers: [], aggregator: aggregate };
  if (declared.type === 'counter') {
    return new Counter({
      ...common,
      async collect() {
        const found = await values();
        this.reset();
        for (const { labels, value } of found) this.inc(labels, value);
      },
    });
  }
  return new Gauge({
    ...common,
    async collect() {
      const found = await values();
      this.reset();
      for (const { labels, value } of found) this.set(labels, value);
    },
  });
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
function durationHistogram(read: () => Figures['routes']): Metric {
  const name = 'recto_http_request_duration_seconds';
  const histogram: { readonly name: string; get(): Promise<object> } = {
    name,
    get: async () => ({
      name,
      help: 'Time from a request to its answer, in seconds, by route and method.',
      type: 'histogram',
      aggregator: 'sum',
      values: [...read()].flatMap((route) => histogramValues(name, route)),
    }),
  };
  // All that a registry asks of a metric is its name and `get()`.
  return histogram as unknown as Metric;
}

function histogramValues(name: string, { method, path, totals: sums }: RouteTotals): readonly object[] {
  if (sums.count === 0) return [];
  const labels = { route: path, method };
  const buckets: readonly (readonly [number | string, number])[] = [...sums.cumulative(), ['+Inf', sums.count]];
  return [
    ...buckets.map(([le, value]) => ({ metricName: `${name}_bucket`, labels: { le, ...labels }, value })),
    { metricName: `${name}_sum`, labels, value: sums.seconds },
    { metricName: `${name}_count`, labels, value: sums.count },
  ];
}
