import { contentTypes } from '../content-types/content-types-feature.ts';
import { defineFeature } from '../feature.ts';
import { healthOperations } from './health-operations.ts';
import { healthOf } from './service-health.ts';

/** Health and readiness probes. It offers the state that they report, which the service keeps. */
export const health = defineFeature({
  name: 'health',
  async create(core) {
    const state = healthOf(core, await core.use(contentTypes));
    return { service: state, operations: () => healthOperations(state) };
  },
});
