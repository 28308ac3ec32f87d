import { defineFeature } from '../feature.ts';
import { metricsOperation } from './metrics-operation.ts';

/** `GET /metrics`, for Prometheus. */
export const metrics = defineFeature({
  name: 'metrics',
  create({ settings, process: { metrics, group } }) {
    const text = group?.metricsText ?? (() => metrics.text());
    return { operations: () => (settings.metrics ? [metricsOperation({ text })] : []) };
  },
});
