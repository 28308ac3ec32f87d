import Type from 'typebox';
import { normalTarget, type OutboundTargets } from '../../base/net/outbound-targets.ts';
import { invalid, notFound } from '../../base/problem.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { textFaults } from '../../http/bodies/text-faults.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { pageParameters, readPage } from '../../http/page-parameters.ts';
import { json, jsonRead } from '../../http/responses/json-response.ts';
import { locationHeader, noContent, pageSchema, readResponses } from '../../http/shared-responses.ts';
import { idParams } from '../../http/shared-schemas.ts';
import type { ChangeAction } from '../../records/write/change-log.ts';
import { typeNameOf } from '../../webhooks/fan-out.ts';
import type { Webhook, WebhookInput } from '../../webhooks/webhook.ts';
import { typeNamed, webhookFaults } from '../../webhooks/webhook-input.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { noStore } from '../accounts/sessions/signed-in-response.ts';
import {
  createdWebhookSchema,
  newWebhook,
  rotatedSecretSchema,
  webhookChange,
  webhookJson,
  webhookSchema,
} from './webhook-schemas.ts';

export const webhooksRoot = '/api/v1/admin/webhooks';
export const webhooksCommon = { tag: 'webhooks', security: 'bearer', roles: ['admin'], installation: true } as const;

export interface WebhookOperationParts {
  readonly webhooks: Webhooks;
  readonly targets: OutboundTargets;
  readonly types: ContentTypes;
  readonly maxPageSize: number;
}

/** The members of a body that the schema has accepted. */
interface SentInput {
  readonly url?: string;
  readonly types?: readonly string[];
  readonly actions?: readonly ChangeAction[];
  readonly filter?: string | null;
  readonly description?: string;
  readonly enabled?: boolean;
  readonly include_private?: boolean;
  readonly releases?: boolean;
  readonly languages?: readonly string[];
}

const createBody = new CheckedBody(newWebhook);
const changeBody = new CheckedBody(webhookChange);
const noSuchWebhook = () => notFound('There is no such webhook.');
const listParameters = Type.Object(pageParameters);

/** A webhook of this id; 404 where there is none. */
export async function webhookOf(webhooks: Webhooks, id: string): Promise<Webhook> {
  const webhook = await webhooks.store.get(id);
  if (webhook === undefined) throw noSuchWebhook();
  return webhook;
}

/** Webhooks themselves, for admins of the installation. */
export function webhookOperations({
  webhooks,
  targets,
  types,
  maxPageSize,
}: WebhookOperationParts): readonly Operation[] {
  const nameOf = (singular: string): string => {
    const type = types.find(singular);
    return type === undefined ? singular : typeNameOf(type);
  };
  const shown = (webhook: Webhook) => webhookJson(webhook, nameOf);
  /** What is sent, on top of what there is; 422 with all that is wrong. */
  const checked = async (sent: SentInput, present: WebhookInput): Promise<WebhookInput> => {
    const { include_private: includePrivate = present.includePrivate, ...members } = sent;
    const { actions, description, enabled, releases } = { ...present, ...members };
    const url = members.url === undefined ? present.url : normalTarget(members.url);
    const names = sent.types ?? present.types;
    // An address that stays is not looked up once more: the receiver may be away at the moment.
    const looked = url === normalTarget(present.url) ? {} : { url };
    const filter = sent.filter === undefined ? present.filter : sent.filter;
    const unstorable = textFaults(sent);
    if (unstorable.length > 0) throw invalid(unstorable);
    // Those that are stored may have left the service since.
    const tagged = sent.languages === undefined ? {} : { languages: sent.languages };
    const faults = await webhookFaults({ ...looked, types: names, filter, ...tagged }, types, targets);
    if (faults.length > 0) throw invalid(faults);
    const singulars = [...new Set(names.map((name) => typeNamed(types, name)?.singular ?? name))];
    const tags = (sent.languages ?? present.languages).map((tag) => types.languages.find(tag)?.tag ?? tag);
    const languages = [...new Set(tags)];
    return { url, types: singulars, actions, filter, description, enabled, includePrivate, releases, languages };
  };
  const others = (_: unknown, sound: SentInput) => webhookFaults(sound, types, targets);
  return [
    {
      ...webhooksCommon,
      id: 'listWebhooks',
      method: 'GET',
      path: webhooksRoot,
      summary: 'List webhooks',
      description: 'In the order of their creation.',
      query: { schema: listParameters, validation: 'schema' },
      responses: readResponses('One page of webhooks.', pageSchema('WebhookList', webhookSchema)),
      problems: [400, 503],
      handle: async ({ request, query }) => {
        const page = readPage(query, maxPageSize);
        const all = await webhooks.store.all();
        const items = all.slice(page.offset, page.offset + page.limit).map(shown);
        return jsonRead(request, { items, total: all.length, page: page.page, page_size: page.pageSize });
      },
    },
    {
      ...webhooksCommon,
      id: 'createWebhook',
      method: 'POST',
      path: webhooksRoot,
      summary: 'Create a webhook',
      description:
        'It is sent the changes that are made from now on. One that is sent private fields takes a recent proof that it is you: 403 `step_up_required`.',
      body: createBody.declaration,
      responses: {
        201: { description: 'The webhook, with its secret.', schema: createdWebhookSchema, headers: locationHeader },
      },
      problems: [400, 422, 503],
      handle: async (context) => {
        const sent = await createBody.read(context, others);
        const input = await checked(sent, { ...defaults, url: '' });
        if (input.includePrivate) await context.requireStepUp('sessions');
        const webhook = await webhooks.create(input, context.caller);
        const headers = { Location: `${webhooksRoot}/${webhook.id}`, ...noStore };
        return json(201, { ...shown(webhook), secret: webhook.secret }, headers);
      },
    },
    {
      ...webhooksCommon,
      id: 'getWebhook',
      method: 'GET',
      path: `${webhooksRoot}/{id}`,
      params: idParams,
      summary: 'Get a webhook',
      responses: readResponses('Everything about it but its secret.', webhookSchema),
      problems: [404, 503],
      handle: async (context) => jsonRead(context.request, shown(await webhookOf(webhooks, context.param('id')))),
    },
    {
      ...webhooksCommon,
      id: 'updateWebhook',
      method: 'PUT',
      path: `${webhooksRoot}/{id}`,
      params: idParams,
      summary: 'Change a webhook',
      description:
        'Members that are left out stay. One that is enabled again is sent what waited for it, and changes from now on. One that is sent private fields takes a recent proof that it is you: 403 `step_up_required`.',
      body: changeBody.declaration,
      responses: { 200: { description: 'The webhook.', schema: webhookSchema } },
      problems: [400, 404, 422, 503],
      handle: async (context) => {
        const sent = await changeBody.read(context, others);
        const present = await webhookOf(webhooks, context.param('id'));
        const input = await checked(sent, present);
        if (input.includePrivate) await context.requireStepUp('sessions');
        const webhook = await webhooks.update(present, input, context.caller);
        if (webhook === undefined) throw noSuchWebhook();
        return json(200, shown(webhook));
      },
    },
    {
      ...webhooksCommon,
      id: 'deleteWebhook',
      method: 'DELETE',
      path: `${webhooksRoot}/{id}`,
      params: idParams,
      summary: 'Delete a webhook',
      description: 'With its deliveries. What waits is not sent any more.',
      responses: { 204: { description: 'The webhook is gone.' } },
      problems: [404, 503],
      handle: async (context) => {
        if (!(await webhooks.remove(context.param('id'), context.caller))) throw noSuchWebhook();
        return noContent();
      },
    },
    {
      ...webhooksCommon,
      id: 'rotateWebhookSecret',
      method: 'POST',
      path: `${webhooksRoot}/{id}/rotate-secret`,
      params: idParams,
      summary: 'Replace the secret of a webhook',
      description: 'For 24 hours, messages are signed with both.',
      responses: { 200: { description: 'The new secret.', schema: rotatedSecretSchema } },
      problems: [404, 503],
      handle: async (context) => {
        const rotated = await webhooks.rotateSecret(context.param('id'), context.caller);
        if (rotated === undefined) throw noSuchWebhook();
        const until = new Date(rotated.previousUntil ?? 0).toISOString();
        return json(200, { secret: rotated.secret, previous_secret_until: until }, noStore);
      },
    },
  ];
}

const defaults: Omit<WebhookInput, 'url'> = {
  ...{ types: [], actions: [], filter: null, description: '', enabled: true, includePrivate: false, releases: false },
  languages: [],
};
