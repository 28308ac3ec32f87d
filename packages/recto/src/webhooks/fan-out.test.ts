// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { openTestDatabase } from '../../../../test/support/database/database.ts';
import { FanOut, type FanOutParts } from './fan-out.ts';
import { WebhookStore } from './webhook-store.ts';

test('without a webhook the log is neither read nor followed while others write to it', async () => {
  await using database = await openTestDatabase();
  const stop = new AbortController();
  let [last, position, reads] = [0, 0, 0];
  const source: FanOutParts['source'] = {
    last: async () => {
      last += 100;
      // One that follows the log ends here.
      if (last > 1_000) stop.abort();
      return last;
    },
    position: async () => position,
    read: async () => {
      reads += 1;
      return [];
    },
    partsOf: async () => [],
    move: async (_, from, to) => {
      expect(from).toBe(position);
      position = to;
      return true;
    },
  };
  const parts: Pick<FanOutParts, 'database' | 'webhooks' | 'source'> = {
    database,
    webhooks: new WebhookStore(database),
    source,
  };
  // The others are for deliveries, of which there are none.
  await new FanOut(parts as FanOutParts).run(stop.signal);
  expect([last, position, reads]).toEqual([100, 100, 0]);
});
