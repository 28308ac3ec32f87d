import type { Settings } from '../../config/settings.ts';

/** The addresses in mails. Without RECTO_URL, which mail needs, they are paths, for an admin who hands one over. */
export const accountLink =
  ({ url = '', accountUrl = `${url}/account/{action}#{token}` }: Pick<Settings, 'url' | 'accountUrl'>) =>
  (action: string, token: string): string =>
    accountUrl.replace('{action}', action).replace('{token}', token);
