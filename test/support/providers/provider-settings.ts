import type { Settings } from '../../../packages/recto/src/config/settings.ts';

/** A provider that no request reaches. */
export const providerSettings: Pick<Settings, 'authProviders' | 'authSecrets' | 'authReturnTo'> = {
  authProviders: {
    main: {
      ...{ name: 'main', kind: 'github', issuer: 'https://github.com', clientId: 'recto', label: 'Main' },
      ...{ scopes: ['read:user'], trustedEmail: true, registration: true, domains: [] },
      ...{ roleClaim: null, roles: {}, allowAdmin: false, trustsMfa: false },
    },
  },
  authSecrets: { main: 'a secret' },
  authReturnTo: [{ origin: 'https://site.example.com', path: '/account' }],
};
