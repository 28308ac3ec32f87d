import { defineFeature } from '../feature.ts';
import { releases } from '../releases/releases-feature.ts';
import { calendarOperation } from './calendar-operation.ts';

/** What happens when: scheduled statuses, releases and due dates on one page. */
export const calendar = defineFeature({
  name: 'calendar',
  async create({ now, use }) {
    const store = await use(releases);
    return { operations: ({ records, types }) => [calendarOperation({ records, types, releases: store, now })] };
  },
});
