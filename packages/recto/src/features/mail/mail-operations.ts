import Type, { type Static } from 'typebox';
import { callerId } from '../../base/caller.ts';
import { conflict, type FieldFault, invalid } from '../../base/problem.ts';
import { CheckedBody } from '../../http/checked-body.ts';
import type { Operation } from '../../http/operation.ts';
import { languageOf } from '../../http/request-language.ts';
import { json } from '../../http/responses/json-response.ts';
import { jsonReply } from '../../http/responses/reply.ts';
import { acceptedSchema } from '../../http/shared-responses.ts';
import { recordId } from '../../http/shared-schemas.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { mailAddress } from '../../mail/mail-address.ts';
import { messageJob } from '../../mail/message-job.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { KeptMail } from '../../mail/transports/kept-mails.ts';
import { documentedAccount, emailSchema, nullable, timeSchema } from '../accounts/account-schemas.ts';

const root = '/api/v1/admin/mails';
const common = { tag: 'mail', security: 'bearer', roles: ['admin'], installation: true } as const;

const mailSchema = Type.Object(
  {
    id: recordId,
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    html: nullable(Type.String()),
    sent_at: timeSchema,
  },
  { $id: 'KeptMail', additionalProperties: false },
);

const listSchema = Type.Object({ items: Type.Array(mailSchema) }, { $id: 'KeptMailList', additionalProperties: false });

const mailJson = ({ id, to, subject, text, html, sentAt }: KeptMail): Static<typeof mailSchema> => ({
  ...{ id, to, subject, text, html },
  sent_at: new Date(sentAt).toISOString(),
});

const testBody = new CheckedBody({ to: emailSchema }, { to: documentedAccount.email });

const toFaults = (to: unknown): readonly FieldFault[] =>
  typeof to !== 'string' || mailAddress(to) !== undefined
    ? []
    : [{ field: 'to', code: 'bad_format', message: 'This is not an email address.' }];

/** What admins see and try of mail. Without an outbox, mail is off. */
export const mailOperations = (outbox: Outbox | undefined, jobs: Jobs): readonly Operation[] => [
  ...(outbox?.settings.location.kind === 'log' ? [listMails(outbox)] : []),
  {
    ...common,
    id: 'sendTestMail',
    method: 'POST',
    path: `${root}/test`,
    summary: 'Send a test mail',
    description:
      'Puts it into the outbox. The job of the kind `mail.message` says what the mail server answered. 409 `mail_off` without RECTO_MAIL_URL.',
    once: true,
    body: testBody.declaration,
    responses: { 202: { description: 'The mail is in the outbox.', schema: acceptedSchema } },
    problems: [400, 409, 422, 503],
    handle: async (context) => {
      const { to } = await testBody.read(context, (_, { to: given }) => toFaults(given));
      if (outbox === undefined) throw conflict('mail_off', 'Mail is off: RECTO_MAIL_URL is not set.');
      const address = mailAddress(to)?.address;
      if (address === undefined) throw invalid(toFaults(to));
      const payload = { kind: 'test', to: address, language: languageOf(context) } as const;
      return context.respondInTransaction(
        jobs.runInTransaction,
        (transaction) => jobs.enqueueIn(transaction, messageJob, payload, { createdBy: callerId(context.caller) }),
        () => jsonReply(202, {}),
      );
    },
  },
];

/** The route is there with `log:` alone. */
const listMails = (outbox: Outbox): Operation => ({
  ...common,
  id: 'listMails',
  method: 'GET',
  path: root,
  summary: 'List the last mails of log:',
  description:
    'There is this route with `RECTO_MAIL_URL=log:` alone, and so in `recto dev`: mails are not sent but kept in the memory of the process that would send them. The last 100, the newest first.',
  responses: { 200: { description: 'The mails.', schema: listSchema } },
  problems: [503],
  handle: () => json(200, { items: outbox.kept.all.map(mailJson) }, { 'Cache-Control': 'no-store' }),
});
