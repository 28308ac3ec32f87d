import { WebhookService } from '../../webhooks/webhook-service.ts';
import { webhookTables } from '../../webhooks/webhook-tables.ts';
import { events } from '../events/events-feature.ts';
import { defineFeature } from '../feature.ts';
import { jobs } from '../jobs/jobs-feature.ts';
import { deliveryOperations } from './delivery-operations.ts';
import { webhookOperations } from './webhook-operations.ts';

/** Changes of records, sent to other services. */
export const webhooks = defineFeature({
  name: 'webhooks',
  tables: webhookTables,
  async create({ settings, log, database, use }) {
    const queue = await use(jobs);
    const service = new WebhookService({ settings, log, database, jobs: queue, events: (await use(events)).log });
    const { webhooks: all, targets } = service;
    const maxPageSize = settings.cmsMaxPageSize;
    return {
      operations: ({ types }) => [
        ...webhookOperations({ webhooks: all, targets, types, maxPageSize }),
        ...deliveryOperations(all, queue, maxPageSize),
      ],
      jobs: ({ records }) => service.kinds(records),
      metrics: [
        {
          name: 'recto_webhook_attempts_total',
          help: 'Messages sent to webhooks, by result.',
          type: 'counter',
          labelNames: ['result'],
          read: () => [...service.results].map(([result, value]) => ({ labels: { result }, value })),
        },
        {
          name: 'recto_webhook_deliveries_pending',
          help: 'Messages that wait to be sent to webhooks.',
          type: 'gauge',
          labelNames: [],
          aggregate: 'max',
          read: async () => [{ labels: {}, value: await all.deliveries.pending() }],
        },
      ],
    };
  },
});
