import { type EmailAddress, parseEmail } from '../../base/email-address.ts';
import { type AuthProvider, tenantOf } from '../../config/auth-provider-setting.ts';
import type { GitHubUser } from './github-protocol.ts';
import { type Claims, claimAt, type ProviderClaims } from './oidc-protocol.ts';
import { ProviderFailure, type ProviderIdentity } from './provider-identity.ts';

/** Who somebody is, from the claims of a provider that speaks OpenID Connect. */
export function identityOfClaims(provider: AuthProvider, claims: ProviderClaims): ProviderIdentity {
  const { issuer, subject, idToken, userInfo } = claims;
  // OpenID Connect Core, section 2: at most 255 ASCII characters.
  if (!/^[\x20-\x7e]{1,255}$/.test(subject)) throw new ProviderFailure('provider_error', 'the subject is none');
  const said = addressClaims(idToken, userInfo);
  const email = typeof said.email === 'string' ? (parseEmail(said.email) ?? null) : null;
  return {
    ...{ provider, issuer, subject, email },
    proven: email !== null && provider.trustedEmail && isVerified(provider, said, email),
    groups: provider.roleClaim === null ? [] : groupsOf(provider.roleClaim, idToken, userInfo),
    mfa: provider.trustsMfa && saysMfa(idToken),
  };
}

export const identityOfGitHubUser = (provider: AuthProvider, user: GitHubUser): ProviderIdentity => {
  const email = user.email === null ? null : (parseEmail(user.email) ?? null);
  return {
    ...{ provider, issuer: user.issuer, subject: user.subject, email },
    ...{ proven: email !== null && provider.trustedEmail, groups: [], mfa: false },
  };
};

/** An address and what is said of it come from one place: two may mean two addresses. */
function addressClaims(idToken: Claims, userInfo: Claims): Claims {
  if (idToken.email === undefined) return userInfo.email === undefined ? {} : { ...idToken, ...userInfo };
  const saysMore = idToken.email_verified === undefined && userInfo.email === idToken.email;
  return saysMore ? { ...userInfo, ...idToken } : idToken;
}

/** Only the value `true` is one: a text may be anything. */
function isVerified({ kind, issuer }: AuthProvider, claims: Claims, { key }: EmailAddress): boolean {
  switch (kind) {
    case 'microsoft':
      // Anyone can write any address into an account of a tenant of their own.
      return tenantOf(issuer) !== undefined || claims.xms_edov === true || claims.xms_edov === 1;
    case 'google':
      // Google confirms an address of another domain once, and may not learn that it changes hands.
      return (
        claims.email_verified === true && (/@(?:gmail|googlemail)\.com$/.test(key) || typeof claims.hd === 'string')
      );
    case 'github':
    case 'oidc':
      return claims.email_verified === true;
  }
}

function groupsOf(claim: string, idToken: Claims, userInfo: Claims): readonly string[] {
  const value = claimAt(idToken, claim) ?? claimAt(userInfo, claim);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}

/** Authentication by several factors, as RFC 8176, OpenID's EAP profile, and Microsoft name it. */
const multiFactor: ReadonlySet<unknown> = new Set([
  ...['mfa', 'phr', 'phrh', 'possessionorinherence'],
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
]);

const saysMfa = ({ amr, acr }: Claims): boolean =>
  multiFactor.has(acr) || (Array.isArray(amr) && amr.some((one) => one === 'mfa'));
