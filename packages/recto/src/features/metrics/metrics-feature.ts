import { defineFeature } from '../feature.ts';
import { metricsOperation } from './metrics-operation.ts';

/** `GET /metrics`, for Prometheus. */
export const metrics = defineFeature({
  name: 'metrics',
  operations: ({ settings, metricsText }) => (settings.metrics ? [metricsOperation({ text: metricsText })] : []),
});
