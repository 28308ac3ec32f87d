import { eventTables } from '../../events/event-tables.ts';
import { defineFeature } from '../feature.ts';

/** The log of changes. */
export const events = defineFeature({
  name: 'events',
  tables: eventTables,
});
