import type { AuthServices } from '../auth/auth-services.ts';
import { currentCaller } from '../auth/current-caller.ts';
import { type JobEnd, JobRejected, type JobWork } from '../jobs/job-kind.ts';
import { mailAddress } from '../mail/mail-address.ts';
import type { Outbox } from '../mail/outbox.ts';
import { mailLanguage } from '../mail/templates/mail-kind.ts';
import { renderMail } from '../mail/templates/render-mail.ts';
import type { Notification } from './notification.ts';
import { NotificationSight, type SeenNotification } from './notification-sight.ts';
import { notificationTexts } from './notification-texts.ts';
import type { NotificationsParts } from './notifications.ts';
import { actorOf } from './notifications.ts';

/** What one mail says at most; what is left waits for the next. */
const mostMailed = 100;

export interface DigestParts extends Omit<NotificationsParts, 'onSettings'> {
  readonly auth: AuthServices;
  readonly outbox: Outbox;
}

/**
 * Mails an account what it has not read, once. What a mail says is marked before it is sent, and the job remembers it: after a failure
 * the same mail is tried again, without what was read meanwhile or is not for the receiver any more.
 */
export async function sendDigest(
  parts: DigestParts,
  work: JobWork<{ readonly account: string }>,
): Promise<JobEnd | undefined> {
  const { auth, store, records, outbox } = parts;
  const { account: id } = work.payload;
  const caller = await currentCaller(auth, { kind: 'account', id });
  const settings = await store.settings(records.database, id);
  const to = caller?.kind === 'account' && caller.email !== undefined ? caller.email : undefined;
  if (caller === undefined || settings === undefined || settings.mail === 'off' || to === undefined) return undefined;
  // Of imported authors, whose address nobody knows.
  if (/[@.]invalid$/i.test(to)) return undefined;
  const address = mailAddress(to);
  if (address === undefined) throw new JobRejected('The account has an address that mail cannot be sent to.');
  const sight = new NotificationSight(parts, caller);
  const looked = await wanted(parts, work);
  const found = await sight.seen(looked);
  const ids = looked.map((each) => each.id);
  if (ids.length === 0) return undefined;
  await records.database.transaction(async (transaction) => {
    await store.markMailed(transaction, ids, work.now());
    await work.keep(transaction, { checkpoint: ids });
  });
  // What is not for the receiver any more does not keep the rest from being mailed.
  if (found.length === 0) return ids.length < mostMailed ? undefined : { againAt: work.now() };
  const end = await outbox.send(work, async () => {
    const { origin } = outbox.settings;
    const list = await linesOf(parts, { caller, sight, language: mailLanguage(settings.language) }, found);
    const values = {
      ...{ email: to, count: String(found.length), list: list.join('\n') },
      ...{ link: `${origin}/admin`, settings_link: `${origin}/admin/profile` },
    };
    return { to: address, ...(await renderMail('notifications', settings.language, values, outbox.settings)) };
  });
  if (end !== undefined) return end;
  // A job with new ones that has waited for this one begins without them.
  await records.database.transaction((transaction) => work.keep(transaction, { checkpoint: null }));
  return undefined;
}

/** What an earlier attempt has marked and could not send, else what no mail has said yet. */
async function wanted(
  { store, records }: Pick<DigestParts, 'store' | 'records'>,
  { checkpoint, payload: { account } }: JobWork<{ readonly account: string }>,
): Promise<readonly Notification[]> {
  if (!Array.isArray(checkpoint)) return store.unmailed(records.database, account, mostMailed);
  const marked = await store.byIds(records.database, account, checkpoint.map(String));
  return marked.filter(({ readAt }) => readAt === null);
}

async function linesOf(
  parts: DigestParts,
  {
    caller,
    sight,
    language,
  }: {
    readonly caller: Parameters<typeof actorOf>[1];
    readonly sight: NotificationSight;
    readonly language: keyof typeof notificationTexts;
  },
  found: readonly SeenNotification[],
): Promise<readonly string[]> {
  const { kinds, somebody, untitled } = notificationTexts[language];
  const lines: string[] = [];
  for (const each of found) {
    const actor = await actorOf(parts, caller, each.actor);
    const title = (await sight.title(each)) ?? untitled;
    lines.push(oneLine(kinds[each.kind](actor?.name ?? somebody, title)));
  }
  return lines;
}

const oneLine = (text: string): string => `• ${text.replaceAll(/\s+/g, ' ')}`;
