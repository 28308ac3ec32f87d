import type { TestService } from '../../support/service.ts';

/** The link in the newest mail to an address, on this service, once the outbox is empty. Mails are kept in memory, and Ada is an admin. */
export async function linkTo(service: TestService, address: string): Promise<string> {
  await service.runJobs();
  const { json } = await service.send('GET /api/v1/admin/mails', { as: 'ada' });
  const text = json.items.find(({ to }: { readonly to: string }) => to === address)?.text ?? '';
  const link = /https:\/\/cms\.example\.com(\/account\/[a-z-]+#rat_[\w-]+)/.exec(text)?.[1];
  if (link === undefined) throw new Error(`There is no link to ${address}: ${text}`);
  return link;
}
