import { AggregatorRegistry, Counter, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
import { processMetrics } from './process-metrics.ts';

/** What one process tells of itself, as data. */
export type MetricSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/** All snapshots added up, in the Prometheus text format. */
export const sumText = (snapshots: readonly MetricSnapshot[]): Promise<string> => sum(snapshots).metrics();

/** What must not be lost with the processes that told it, added up: a total that shrank would be taken for one that began anew. */
export async function sumOfTotals(snapshots: readonly MetricSnapshot[]): Promise<MetricSnapshot> {
  const all = await sum(snapshots).getMetricsAsJSON();
  // prom-client tells the type as its name, whatever its declaration says.
  return all.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
}

// The library does not change what it is given.
const sum = (snapshots: readonly MetricSnapshot[]): Registry =>
  AggregatorRegistry.aggregate(snapshots as MetricObjectWithValues<MetricValue<string>>[][]);

/** What the process that supervises the workers tells of itself and of them. */
export async function supervisorSnapshot(deaths: number): Promise<MetricSnapshot> {
  const registry = new Registry();
  for (const metric of processMetrics()) registry.registerMetric(metric);
  const died = new Counter({ name: 'recto_worker_deaths_total', help: 'Workers that ended.', registers: [registry] });
  died.inc(deaths);
  return registry.getMetricsAsJSON();
}
