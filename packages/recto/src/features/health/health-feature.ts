import { defineFeature } from '../feature.ts';
import { healthOperations } from './health-operations.ts';

/** Health and readiness probes. */
export const health = defineFeature({
  name: 'health',
  operations: (context) => healthOperations(context.health),
});
