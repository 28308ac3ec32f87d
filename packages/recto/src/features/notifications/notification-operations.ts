import Type from 'typebox';
import { badRequest } from '../../base/problem.ts';
import type { Database } from '../../database/database.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { languageOf } from '../../http/request-language.ts';
import { json } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { type MailPreference, mailPreferences } from '../../notifications/notification.ts';
import type { Notifications } from '../../notifications/notifications.ts';
import { accountCaller } from '../accounts/account-caller.ts';
import { noStore } from '../accounts/sessions/signed-in-response.ts';
import { listJson, listParameters, notificationListSchema, rangeOf, readInput } from './notification-schemas.ts';

const path = '/api/v1/auth/me/notifications';
const common = { tag: 'notifications', security: 'bearer' } as const;

const readSchema = Type.Object({ read: Type.Integer() }, { $id: 'ReadNotifications', additionalProperties: false });
const readBody = new CheckedBody(readInput);

/** The notifications of whoever asks. `load`: loaded when it is first used. */
export const notificationOperations = (
  load: () => Promise<Notifications>,
  database: Pick<Database, 'transaction'>,
): readonly Operation[] => [
  {
    ...common,
    id: 'listNotifications',
    method: 'GET',
    path,
    summary: 'List the own notifications',
    description:
      'What concerns the account of what others have done, newest first. Those on what it may not read any more are left out.',
    query: { schema: listParameters, validation: 'schema' },
    responses: { 200: { description: 'The notifications.', schema: notificationListSchema } },
    problems: [400, 403, 503],
    async handle(context) {
      const caller = accountCaller(context);
      const notifications = await load();
      const page = await notifications.list(caller, rangeOf(context.query));
      return json(200, listJson(page, await notifications.unread(caller)), noStore);
    },
  },
  {
    ...common,
    id: 'readNotifications',
    method: 'POST',
    once: true,
    path: `${path}/read`,
    summary: 'Mark own notifications as read',
    description: 'Those of `ids`, or all that had happened `before` a time. What is read already stays so.',
    body: readBody.declaration,
    responses: { 200: { description: 'How many were not read before.', schema: readSchema } },
    problems: [400, 403, 409, 422, 503],
    async handle(context) {
      const caller = accountCaller(context);
      const { ids, before } = await readBody.read(context);
      if ((ids === undefined) === (before === undefined))
        throw badRequest('invalid_parameter', 'Send either "ids" or "before".');
      const marked = ids === undefined ? { until: Date.parse(before ?? '') } : { ids };
      const notifications = await load();
      const seen = await notifications.unreadOf(caller, marked);
      return context.respondInTransaction(
        (run) => database.transaction(run),
        (transaction) => notifications.markRead(transaction, caller, seen),
        (read) => jsonReply(200, { read }, noStore),
      );
    },
  },
];

const mail = Type.Unsafe<MailPreference>({
  type: 'string',
  enum: [...mailPreferences],
  description: 'When unread notifications are mailed; `daily`: at 6:00 UTC.',
});
const settingsSchema = Type.Object({ mail }, { $id: 'NotificationSettings', additionalProperties: false });
const settingsBody = new CheckedBody({ mail });
const settingsPath = '/api/v1/auth/me/notification-settings';

/** What somebody wants mails about. There where mail is on. */
export const notificationSettingOperations = (load: () => Promise<Notifications>): readonly Operation[] => [
  {
    ...common,
    id: 'getNotificationSettings',
    method: 'GET',
    path: settingsPath,
    summary: 'Get when unread notifications are mailed',
    description: 'There is no such route where mail is off.',
    responses: { 200: { description: 'The settings of the account.', schema: settingsSchema } },
    problems: [403, 503],
    async handle(context) {
      const settings = await (await load()).settings(accountCaller(context));
      return json(200, { mail: settings.mail }, noStore);
    },
  },
  {
    ...common,
    id: 'updateNotificationSettings',
    method: 'PUT',
    path: settingsPath,
    summary: 'Set when unread notifications are mailed',
    description: 'Mails are in the language of this request (`Accept-Language`).',
    body: settingsBody.declaration,
    responses: { 200: { description: 'The settings of the account.', schema: settingsSchema } },
    problems: [400, 403, 422, 503],
    async handle(context) {
      const caller = accountCaller(context);
      const { mail: preference } = await settingsBody.read(context);
      await (await load()).keepSettings(caller, { mail: preference, language: languageOf(context) });
      return json(200, { mail: preference }, noStore);
    },
  },
];
