import { metricsOperation } from '../../http/metrics/metrics-operation.ts';
import { defineFeature } from '../feature.ts';

/** `GET /metrics`, for Prometheus. */
export const metrics = defineFeature({
  name: 'metrics',
  operations: ({ settings, metricsText }) => (settings.metrics ? [metricsOperation({ text: metricsText })] : []),
});
