import { healthOperations } from '../../http/health/health-operations.ts';
import { defineFeature } from '../feature.ts';

/** Health and readiness probes. */
export const health = defineFeature({
  name: 'health',
  operations: (context) => healthOperations(context.health),
});
