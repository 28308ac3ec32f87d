import { defineFeature } from '../feature.ts';
import { systemOperations } from './system-operations.ts';

/** What those see who look after the installation: its settings, versions and state. */
export const system = defineFeature({
  name: 'system',
  operations: (context) => systemOperations(context),
});
