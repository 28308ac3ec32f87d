import Type, { type Static } from 'typebox';
import { recordId } from '../../http/shared-schemas.ts';
import { changeActions } from '../../webhooks/change-event.ts';
import { type Delivery, deliveryStates, type Webhook } from '../../webhooks/webhook.ts';
import { longestUrl } from '../../webhooks/webhook-input.ts';
import { nullable, timeSchema } from '../accounts/account-schemas.ts';

const longestFilter = 4_096;
const longestDescription = 1_000;
const mostTypes = 1_000;
const mostLanguages = 1_000;

const input = {
  url: Type.String({ minLength: 1, maxLength: longestUrl, description: 'Where to send changes: `https:` or `http:`.' }),
  types: Type.Array(Type.String({ maxLength: 200 }), {
    maxItems: mostTypes,
    uniqueItems: true,
    description: 'Content types, by their singular or plural names. Empty: all.',
  }),
  actions: Type.Array(Type.Enum([...changeActions]), {
    maxItems: changeActions.length,
    uniqueItems: true,
    description: 'What is done to a record. Empty: everything.',
  }),
  filter: nullable(
    Type.String({
      maxLength: longestFilter,
      description: 'Only records for which this expression holds. Needs `types`.',
    }),
  ),
  description: Type.String({ maxLength: longestDescription }),
  enabled: Type.Boolean(),
  include_private: Type.Boolean({ description: 'Send records as admins see them, with private fields.' }),
  releases: Type.Boolean({
    description: 'Send one message for a release that is published, in place of one for each of its records.',
  }),
  languages: Type.Array(Type.String({ maxLength: 100 }), {
    maxItems: mostLanguages,
    uniqueItems: true,
    description: 'Tags of languages: what changes in others alone is not sent. Empty: all.',
  }),
};

const optional = {
  types: Type.Optional(input.types),
  actions: Type.Optional(input.actions),
  filter: Type.Optional(input.filter),
  description: Type.Optional(input.description),
  enabled: Type.Optional(input.enabled),
  include_private: Type.Optional(input.include_private),
  releases: Type.Optional(input.releases),
  languages: Type.Optional(input.languages),
};

const kept = Type.Optional(Type.Unknown({ description: 'Ignored, so that a fetched webhook can be sent back.' }));

export const newWebhook = { url: input.url, ...optional };
export const webhookChange = {
  url: Type.Optional(input.url),
  ...optional,
  ...{ id: kept, disabled_reason: kept, created_by: kept, created_at: kept, updated_at: kept },
};

const properties = {
  id: recordId,
  ...{ url: Type.String(), types: Type.Array(Type.String()), actions: Type.Array(Type.Enum([...changeActions])) },
  ...{ filter: nullable(Type.String()), description: Type.String(), enabled: Type.Boolean() },
  include_private: Type.Boolean(),
  releases: Type.Boolean(),
  languages: Type.Array(Type.String()),
  disabled_reason: nullable(Type.String({ description: 'Why the service has disabled it.' })),
  created_by: nullable(Type.String({ description: 'The account or API token that created it.' })),
  created_at: timeSchema,
  updated_at: timeSchema,
};

export const webhookSchema = Type.Object(properties, { $id: 'Webhook', additionalProperties: false });

const secret = Type.String({ description: 'Signs each message: `whsec_…`. Shown here and never again.' });

export const createdWebhookSchema = Type.Object(
  { ...properties, secret },
  { $id: 'CreatedWebhook', additionalProperties: false },
);

export const rotatedSecretSchema = Type.Object(
  { secret, previous_secret_until: Type.String({ format: 'date-time', description: 'Until then, both sign.' }) },
  { $id: 'RotatedSecret', additionalProperties: false },
);

export const deliveryIdSchema = Type.String({ pattern: '^msg_[0-9a-f]{32}$', description: 'The id of a delivery.' });

export const deliverySchema = Type.Object(
  {
    id: Type.String({ description: 'Sent as `webhook-id` with each attempt.' }),
    seq: Type.Integer({ description: 'The number of the change in the event log; 0 for a test.' }),
    type: Type.String({ description: '`articles.update`' }),
    record: nullable(Type.String({ description: 'The id of the record; null for a test.' })),
    state: Type.Enum([...deliveryStates]),
    attempts: Type.Integer({ minimum: 0 }),
    next_at: nullable(
      Type.String({
        format: 'date-time',
        description: 'When the next attempt is due; null also behind an earlier change of its record.',
      }),
    ),
    last: nullable(
      Type.Object(
        {
          at: timeSchema,
          status: nullable(Type.Integer({ description: 'The status of the response.' })),
          error: nullable(Type.String({ description: 'Why it failed.' })),
          duration_ms: Type.Integer({ minimum: 0 }),
        },
        { additionalProperties: false, description: 'The last attempt.' },
      ),
    ),
    created_at: timeSchema,
    ended_at: nullable(timeSchema),
  },
  { $id: 'WebhookDelivery', additionalProperties: false },
);

const timeOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
const timeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : timeOf(milliseconds);

/** Without its secret. `nameOf`: a type's name in addresses. */
export const webhookJson = (webhook: Webhook, nameOf: (singular: string) => string): Static<typeof webhookSchema> => ({
  id: webhook.id,
  url: webhook.url,
  types: webhook.types.map(nameOf),
  actions: [...webhook.actions],
  filter: webhook.filter,
  description: webhook.description,
  enabled: webhook.enabled,
  include_private: webhook.includePrivate,
  releases: webhook.releases,
  languages: [...webhook.languages],
  disabled_reason: webhook.disabledReason,
  created_by: webhook.createdBy,
  created_at: timeOf(webhook.createdAt),
  updated_at: timeOf(webhook.updatedAt),
});

export const deliveryJson = ({ last, ...delivery }: Delivery): Static<typeof deliverySchema> => ({
  id: delivery.id,
  seq: delivery.seq,
  type: delivery.type,
  record: delivery.seq === 0 ? null : delivery.record,
  state: delivery.state,
  attempts: delivery.attempts,
  next_at: timeOrNull(delivery.nextAt),
  last:
    last === null
      ? null
      : { at: timeOf(last.at), status: last.status, error: last.error, duration_ms: last.durationMs },
  created_at: timeOf(delivery.createdAt),
  ended_at: timeOrNull(delivery.endedAt),
});
