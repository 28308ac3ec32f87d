import { describe, expect, test } from 'bun:test';
import { openTestDatabase } from '../../../../test/support/database/database.ts';
import { memoryCounters } from '../auth/rate-counters.ts';
import { createLogger } from '../base/logger.ts';
import { readSettings } from '../config/settings.ts';
import { Metrics } from '../http/metrics/metrics.ts';
import { defineFeature, type Feature } from './feature.ts';
import type { ServiceCore } from './service-core.ts';
import { prepareFeatures, ServiceFeatures } from './service-features.ts';

/** The features of a service of their own, with what happens in it. */
async function servingWith(features: readonly Feature[]) {
  const database = await openTestDatabase();
  const settings = readSettings({});
  const core: ServiceCore = {
    ...{ settings, log: createLogger('silent'), database, secret: 'a secret', now: Date.now },
    ...{ counters: memoryCounters(), process: { metrics: new Metrics(), startedAt: 0, group: undefined } },
    content: () => Promise.reject(new Error('There is none.')),
  };
  const deployed = { builtIn: [], files: { directory: '', sources: [], unreadable: [] } };
  const given = { settings, deployed, isEmbedded: true, startsNow: false };
  try {
    return await ServiceFeatures.create(core, await prepareFeatures(features, given));
  } finally {
    await database.close();
  }
}

/** A feature that notes its creation and its end in `log`, and offers its name. */
const noting = (name: string, log: string[], uses: readonly Feature[] = []) =>
  defineFeature({
    name,
    async create({ use }) {
      for (const other of uses) await use(other);
      log.push(`create ${name}`);
      return {
        service: { name },
        async close() {
          log.push(`close ${name}`);
        },
      };
    },
  });

describe('a feature', () => {
  test('is created after those that it uses, and closed before them', async () => {
    const log: string[] = [];
    const base = noting('base', log);
    const middle = noting('middle', log, [base]);
    const top = noting('top', log, [middle, base]);
    const features = await servingWith([top, middle, base]);
    await features.close();
    expect(log).toEqual(['create base', 'create middle', 'create top', 'close top', 'close middle', 'close base']);
  });

  test('has its parts in the order of the list, whoever uses it', async () => {
    const [one, two] = [noting('one', []), noting('two', [])];
    const first = noting('first', [], [two]);
    const features = await servingWith([first, one, two]);
    expect(features.parts.map(({ service }) => service)).toEqual([{ name: 'first' }, { name: 'one' }, { name: 'two' }]);
  });

  test('offers one service to all, and another one in another service', async () => {
    const shared = noting('shared', []);
    const found: object[] = [];
    const using = defineFeature({
      name: 'using',
      async create({ use }) {
        found.push(await use(shared));
        return {};
      },
    });
    const features = await servingWith([using, shared]);
    expect(found[0]).toBe(features.get(shared));
    expect((await servingWith([shared])).get(shared)).not.toBe(features.get(shared));
  });

  test('gets what it has prepared', async () => {
    const prepared = defineFeature({
      name: 'prepared',
      prepare: ({ isEmbedded }) => ({ isEmbedded }),
      create: (_, { isEmbedded }) => ({ service: isEmbedded }),
    });
    expect((await servingWith([prepared])).get(prepared)).toBe(true);
  });
});

describe('a creation that fails', () => {
  const broken = defineFeature({
    name: 'broken',
    create: () => Promise.reject(new Error('It is broken.')),
  });

  test('closes what was created', async () => {
    const log: string[] = [];
    await expect(servingWith([noting('one', log), broken, noting('two', log)])).rejects.toThrow('It is broken.');
    expect(log).toEqual(['create one', 'close one']);
  });

  test('fails those that use it', async () => {
    await expect(servingWith([noting('one', [], [broken]), broken])).rejects.toThrow('It is broken.');
  });

  test('is that of a feature that uses one which is not there', async () => {
    const missing = noting('missing', []);
    await expect(servingWith([noting('one', [], [missing])])).rejects.toThrow('This service has no feature "missing".');
  });
});
