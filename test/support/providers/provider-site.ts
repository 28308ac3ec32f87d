import type { AuthProvider } from '../../../packages/recto/src/config/auth-provider-setting.ts';
import type { Settings } from '../../../packages/recto/src/config/settings.ts';
import { MailServer } from '../mail-server.ts';
import { type ServiceOptions, TestService } from '../service.ts';
import { clientSecret, TestProvider } from './test-provider.ts';

export const siteUrl = 'https://cms.example.com';

/** A service and a provider that its people sign in with. */
export interface Site extends AsyncDisposable {
  readonly provider: TestProvider;
  readonly service: TestService;
  readonly mails: MailServer | undefined;
  /** What the service has logged. */
  readonly log: readonly string[];
}

export interface SiteOptions extends ServiceOptions {
  /** Options of the provider. */
  readonly configured?: Partial<AuthProvider>;
  /** Whether the service sends mail. */
  readonly mail?: boolean;
  readonly settings?: Partial<Settings>;
}

export async function openSite({ configured, mail, settings, ...options }: SiteOptions = {}): Promise<Site> {
  const provider = await TestProvider.open();
  const mails = mail === true ? await MailServer.open() : undefined;
  const log: string[] = [];
  const service = await TestService.open([], {
    settings: {
      ...mails?.settings,
      url: siteUrl,
      authProviders: { main: provider.configured(configured) },
      authSecrets: { main: clientSecret },
      authReturnTo: [{ origin: 'https://site.example.com', path: '/account' }],
      ...settings,
    },
    log: (line) => log.push(line),
    ...options,
  });
  return {
    ...{ provider, service, mails, log },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
      await mails?.close();
    },
  };
}
