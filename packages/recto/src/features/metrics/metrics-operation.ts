import Type from 'typebox';
import type { Metrics } from '../../http/metrics/metrics.ts';
import type { Operation } from '../../http/operation.ts';

/** The Prometheus text format, as its documentation writes it. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * `GET /metrics` for Prometheus. Open to anyone who reaches the port: it shows routes and counts, no content and no
 * callers; `RECTO_METRICS=off` leaves it out.
 */
export function metricsOperation(metrics: Pick<Metrics, 'text'>): Operation {
  return {
    id: 'getMetrics',
    method: 'GET',
    path: '/metrics',
    tag: 'service',
    summary: 'Metrics for Prometheus',
    description: 'Requests by route, durations, the response cache, the database and the process.',
    security: 'none',
    responses: {
      200: {
        description: 'The Prometheus text format, 0.0.4',
        schema: Type.String(),
        mediaType: 'text/plain',
      },
    },
    problems: [],
    async handle() {
      const text = await metrics.text();
      return new Response(text, { headers: { 'Content-Type': contentType, 'Cache-Control': 'no-store' } });
    },
  };
}
