import Type, { type Static } from 'typebox';
import { conflict, invalid, Problem } from '../../base/problem.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { mailAddress } from '../../mail/mail-address.ts';
import { messageJob } from '../../mail/message-job.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { KeptMail } from '../../mail/transports/kept-mails.ts';
import { nullable, timeSchema } from '../auth/account-schemas.ts';
import { CheckedBody } from '../auth/checked-body.ts';
import { json } from '../json-response.ts';
import type { Operation } from '../operation.ts';
import { recordId } from '../shared-schemas.ts';
import { languageOf } from './request-language.ts';

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

const testBody = new CheckedBody({
  to: Type.String({ maxLength: 320, description: 'The address that the test goes to.' }),
});

/** What admins see and try of mail. Without an outbox, mail is off. */
export const mailOperations = (outbox: Outbox | undefined, jobs: Jobs): readonly Operation[] => [
  {
    ...common,
    id: 'listMails',
    method: 'GET',
    path: root,
    summary: 'List the last mails of log:',
    description:
      'With `RECTO_MAIL_URL=log:`, and so in `recto dev`, mails are not sent but kept in the memory of the process that would send them: the last 100, the newest first. Otherwise 404 `route_not_found`.',
    responses: { 200: { description: 'The mails.', schema: listSchema } },
    problems: [404, 503],
    handle: () => {
      if (outbox?.settings.location.kind !== 'log')
        throw new Problem(404, 'route_not_found', 'Mails are kept with RECTO_MAIL_URL=log: alone.');
      return json(200, { items: outbox.kept.all.map(mailJson) }, { 'Cache-Control': 'no-store' });
    },
  },
  {
    ...common,
    id: 'sendTestMail',
    method: 'POST',
    path: `${root}/test`,
    summary: 'Send a test mail',
    description:
      'Puts it into the outbox. The job of the kind `mail.message` says what the mail server answered. 409 `mail_off` without RECTO_MAIL_URL.',
    body: testBody.declaration,
    responses: { 202: { description: 'The mail is in the outbox.', schema: Type.Object({}) } },
    problems: [400, 409, 422, 503],
    handle: async (context) => {
      const { to } = await testBody.read(context);
      if (outbox === undefined) throw conflict('mail_off', 'Mail is off: RECTO_MAIL_URL is not set.');
      const address = mailAddress(to)?.address;
      if (address === undefined)
        throw invalid([{ field: 'to', code: 'bad_format', message: 'This is not an email address.' }]);
      await jobs.enqueue(messageJob, { kind: 'test', to: address, language: languageOf(context) });
      return json(202, {});
    },
  },
];
