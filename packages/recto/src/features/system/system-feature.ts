import { systemOperations } from '../../http/system/system-operations.ts';
import { defineFeature } from '../feature.ts';

/** What those see who look after the installation: its settings, versions and state. */
export const system = defineFeature({
  name: 'system',
  operations: (context) => systemOperations(context),
});
