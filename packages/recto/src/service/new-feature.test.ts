import { expect, test } from 'bun:test';
import { openTestDatabase } from '../../../../test/support/database/database.ts';
import { deployed } from '../../../../test/support/definitions.ts';
import { createLogger } from '../base/logger.ts';
import { readSettings } from '../config/settings.ts';
import { contentTypes } from '../features/content-types/content-types-feature.ts';
import { defineFeature } from '../features/feature.ts';
import { features } from '../features/index.ts';
import { jobs } from '../features/jobs/jobs-feature.ts';
import { json } from '../http/responses/json-response.ts';
import { periodicJob } from '../jobs/job-kind.ts';
import { openService } from './open-service.ts';

// What a new feature can do without a line in this module: it counts visits, and has what it offers used by another one.

const counter = defineFeature({
  name: 'counter',
  async create({ use }) {
    const service = { visits: 0, made: 0, runs: 0, isClosed: false };
    const queue = await use(jobs);
    return {
      service,
      operations({ types }) {
        service.made += 1;
        return [
          {
            id: 'visit',
            method: 'GET',
            path: '/visit',
            tag: 'test',
            summary: 'Counts a visit.',
            security: 'none',
            responses: { 200: { description: 'The content types.' } },
            problems: [],
            async handle() {
              service.visits += 1;
              const queued = (await queue.store.counts()).get('queued') ?? 0;
              return json(200, { types: types.all.map(({ singular }) => singular), hasJobs: queued > 0 });
            },
          },
        ];
      },
      jobs: () => [
        periodicJob(
          'counter.run',
          { cron: '0 0 1 1 *', earlier: async (now) => (service.runs === 0 ? now : null) },
          () => {
            service.runs += 1;
            return Promise.resolve(undefined);
          },
        ),
      ],
      metrics: [
        {
          name: 'recto_test_visits_total',
          help: 'Visits.',
          type: 'counter',
          labelNames: [],
          read: () => [{ labels: {}, value: service.visits }],
        },
      ],
      async close() {
        service.isClosed = true;
      },
    };
  },
});

test('a new feature has routes, jobs and metrics, and lives as long as its service', async () => {
  await using database = await openTestDatabase();
  const service = await openService({
    settings: { ...readSettings({}), secret: 'a secret of the tests, long enough' },
    log: createLogger('silent'),
    features: [...features, counter],
    deployed: deployed([], []),
    database,
  });
  const counted = service.get(counter);
  const visit = async () => (await service.fetch(new Request('http://recto.test/visit'))).json();
  await service.runner.settle();
  expect(counted.runs).toBe(1);
  expect(await visit()).toEqual({ types: [], hasJobs: true });

  const note = { singular: 'note', plural: 'notes', fields: [{ name: 'text', field_type: 'text' }] };
  await service.get(contentTypes).redeploy(deployed([note], []));
  expect(await visit()).toEqual({ types: ['note'], hasJobs: true });
  expect(counted).toMatchObject({ visits: 2, made: 2 });
  expect(service.get(counter)).toBe(counted);
  const metrics = await service.fetch(new Request('http://recto.test/metrics'));
  expect(await metrics.text()).toContain('recto_test_visits_total 2');

  expect(counted.isClosed).toBe(false);
  await service.stop();
  expect(counted.isClosed).toBe(true);
});
