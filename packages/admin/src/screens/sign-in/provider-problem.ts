import { type MessageKey, t } from '../../text/text.ts';

const texts: Readonly<Record<string, MessageKey>> = {
  access_denied: 'session.providerDenied',
  provider_unavailable: 'session.providerAway',
  registration_closed: 'session.providerNoAccount',
  sign_in_to_link: 'session.providerLinkFirst',
  email_missing: 'session.providerNoEmail',
  email_not_verified: 'session.providerUnverified',
  account_disabled: 'session.providerDisabled',
};

/** What to say about a way back from a provider that signed nobody in. */
export const providerProblem = (code: string): string => t(texts[code] ?? 'session.providerFailed');
