import { EventPruner } from '../../events/event-pruner.ts';
import { eventTables } from '../../events/event-tables.ts';
import { auditOperation } from '../../http/events/audit-operation.ts';
import { defineFeature } from '../feature.ts';

/** The log of changes and its audit view. */
export const events = defineFeature({
  name: 'events',
  tables: eventTables,
  jobs({ records, settings }) {
    const pruner = new EventPruner(records.database, settings.eventsKeepDays);
    return [{ name: 'old events', run: (now, signal) => pruner.run(now, signal).then(() => null) }];
  },
  operations: ({ events, types }) => [auditOperation({ events, types })],
});
