import { defineFeature } from '../feature.ts';
import { health } from '../health/health-feature.ts';
import { jobs } from '../jobs/jobs-feature.ts';
import { systemOperations } from './system-operations.ts';

/** What those see who look after the installation: its settings, versions and state. */
export const system = defineFeature({
  name: 'system',
  async create({ settings, database, process, use }) {
    const parts = {
      ...{ settings, database, workers: process.group?.workers ?? 1 },
      ...{ health: await use(health), jobs: await use(jobs) },
    };
    return { operations: ({ types }) => systemOperations({ ...parts, types }) };
  },
});
