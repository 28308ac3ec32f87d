import Type from 'typebox';
import { conflict, notFound } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { Operation } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { jsonRead } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { pageSchema, readResponses } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { deliveryStates } from '../../webhooks/webhook.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { webhookOf, webhooksCommon, webhooksRoot } from './webhook-operations.ts';
import { deliveryIdSchema, deliveryJson, deliverySchema } from './webhook-schemas.ts';

const listParameters = Type.Object({
  ...pageParameters,
  state: Type.Optional(Type.Enum([...deliveryStates], { description: 'Only deliveries in this state.' })),
});

const accepted = { 202: { description: 'The delivery, which waits to be sent.', schema: deliverySchema } };

/** What is sent to webhooks, for admins of the installation. */
export function deliveryOperations(webhooks: Webhooks, jobs: Jobs, maxPageSize: number): readonly Operation[] {
  const one = `${webhooksRoot}/{id}`;
  return [
    {
      ...webhooksCommon,
      id: 'listWebhookDeliveries',
      method: 'GET',
      path: `${one}/deliveries`,
      params: idParams,
      summary: 'List the deliveries of a webhook',
      description: 'The newest first.',
      query: { schema: listParameters, validation: 'schema' },
      responses: readResponses('One page of deliveries.', pageSchema('WebhookDeliveryList', deliverySchema)),
      problems: [400, 404, 503],
      handle: async (context) => {
        const page = readPage(context.query, maxPageSize);
        const { id } = await webhookOf(webhooks, context.param('id'));
        const state = deliveryStates.find((each) => each === context.query.state);
        const { deliveries, total } = await webhooks.deliveries.list(id, state, page);
        const items = deliveries.map(deliveryJson);
        return jsonRead(context.request, { items, total, page: page.page, page_size: page.pageSize });
      },
    },
    {
      ...webhooksCommon,
      id: 'redeliverWebhookDelivery',
      method: 'POST',
      path: `${one}/deliveries/{delivery}/redeliver`,
      params: { ...idParams, delivery: deliveryIdSchema },
      summary: 'Send a delivery again',
      description: 'The same message under the same id, now, and with all attempts before it.',
      once: true,
      responses: accepted,
      problems: [404, 409, 503],
      handle: async (context) => {
        const webhook = await webhookOf(webhooks, context.param('id'));
        if (!webhook.enabled) throw isDisabled();
        const change = async (transaction: Transaction) => {
          const delivery = await webhooks.redeliver(transaction, webhook, context.param('delivery'));
          if (delivery === undefined) throw notFound('There is no such delivery.');
          return delivery;
        };
        return context.respondInTransaction(jobs.runInTransaction, change, (made) =>
          jsonReply(202, deliveryJson(made)),
        );
      },
    },
    {
      ...webhooksCommon,
      id: 'testWebhook',
      method: 'POST',
      path: `${one}/test`,
      params: idParams,
      summary: 'Send a test message to a webhook',
      description: 'Of the type `webhook.test`, once. The list of deliveries has its result.',
      once: true,
      responses: accepted,
      problems: [404, 409, 503],
      handle: async (context) => {
        const webhook = await webhookOf(webhooks, context.param('id'));
        if (!webhook.enabled) throw isDisabled();
        const change = (transaction: Transaction) => webhooks.test(transaction, webhook);
        return context.respondInTransaction(jobs.runInTransaction, change, (made) =>
          jsonReply(202, deliveryJson(made)),
        );
      },
    },
  ];
}

const isDisabled = () => conflict('webhook_disabled', 'The webhook is disabled.');
