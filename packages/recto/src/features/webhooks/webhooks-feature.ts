import { deliveryResults, WebhookService } from '../../webhooks/webhook-service.ts';
import { webhookTables } from '../../webhooks/webhook-tables.ts';
import { defineFeature, type FeatureContext } from '../feature.ts';
import { deliveryOperations } from './delivery-operations.ts';
import { webhookOperations } from './webhook-operations.ts';

/** One for each set of content types. */
const services = new WeakMap<FeatureContext, WebhookService>();

function serviceOf(context: FeatureContext): WebhookService {
  const service = services.get(context) ?? new WebhookService(context);
  services.set(context, service);
  return service;
}

/** Changes of records, sent to other services. */
export const webhooks = defineFeature({
  name: 'webhooks',
  tables: webhookTables,
  operations(context) {
    const { types, jobs, settings } = context;
    const { webhooks: all, targets } = serviceOf(context);
    const maxPageSize = settings.cmsMaxPageSize;
    return [
      ...webhookOperations({ webhooks: all, targets, types, maxPageSize }),
      ...deliveryOperations(all, jobs, maxPageSize),
    ];
  },
  metrics: (context) => [
    {
      name: 'recto_webhook_attempts_total',
      help: 'Messages sent to webhooks, by result.',
      type: 'counter',
      labelNames: ['result'],
      read: () => [...deliveryResults].map(([result, value]) => ({ labels: { result }, value })),
    },
    {
      name: 'recto_webhook_deliveries_pending',
      help: 'Messages that wait to be sent to webhooks.',
      type: 'gauge',
      labelNames: [],
      aggregate: 'max',
      read: async () => [{ labels: {}, value: await serviceOf(context).webhooks.deliveries.pending() }],
    },
  ],
  jobs: (context) => serviceOf(context).kinds,
});
