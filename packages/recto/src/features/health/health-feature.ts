import { healthOperations } from '../../http/health/health-operations.ts';
import { defineFeature } from '../feature.ts';

/** What probes ask. */
export const health = defineFeature({
  name: 'health',
  operations: (context) => healthOperations(context.health),
});
