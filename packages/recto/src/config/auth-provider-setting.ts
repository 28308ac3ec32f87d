import type { Role } from '../base/caller.ts';
import type { Reading, SettingType } from './setting-type.ts';

export const providerKinds = ['google', 'microsoft', 'github', 'oidc'] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** A service whose accounts people sign in with. */
export interface AuthProvider {
  /** In routes and in the variable of its secret: small letters, digits and hyphens. */
  readonly name: string;
  readonly kind: ProviderKind;
  /** Its address, which every ID token has to name. Microsoft's may be that of many tenants (`common`). */
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** What a button says. */
  readonly label: string;
  /** Whether an address that it calls verified counts as proven. */
  readonly trustedEmail: boolean;
  /** Whether people without an account get one. */
  readonly registration: boolean;
  /** The domains whose addresses may register; empty: all. */
  readonly domains: readonly string[];
  /** The claim that names groups or roles; with it, the role of an account follows from it at each sign-in. */
  readonly roleClaim: string | null;
  /** The roles of values of that claim. */
  readonly roles: Readonly<Record<string, Role>>;
  /** Whether the claim may make an admin, and take the role from one. */
  readonly allowAdmin: boolean;
  /** Whether a second factor that the provider says it asked for is enough. */
  readonly trustsMfa: boolean;
}

/** By name. */
export type AuthProviders = Readonly<Record<string, AuthProvider>>;

const issuers: Readonly<Record<Exclude<ProviderKind, 'oidc'>, string>> = {
  google: 'https://accounts.google.com',
  microsoft: 'https://login.microsoftonline.com/common/v2.0',
  github: 'https://github.com',
};

const labels: Readonly<Record<ProviderKind, string | undefined>> = {
  ...{ google: 'Google', microsoft: 'Microsoft', github: 'GitHub', oidc: undefined },
};

const mostProviders = 20;

const options = [
  ...['kind', 'issuer', 'client_id', 'scopes', 'label', 'trusted_email', 'registration', 'domains', 'role_claim'],
  ...['roles', 'allow_admin', 'trusts_mfa'],
];

/** Tables by name in `recto.toml`; in the environment, the same as a JSON object. */
export const authProviders: SettingType<AuthProviders> = {
  expects: 'tables [auth.providers.NAME] with kind, client_id and other options; as a variable, a JSON object of them',
  read(raw) {
    const table = typeof raw === 'string' ? parsed(raw) : undefined;
    if (!isTable(table)) return { expected: this.expects };
    const providers: Record<string, AuthProvider> = {};
    for (const [name, written] of Object.entries(table)) {
      if (!/^[a-z](?:[a-z0-9]|-(?=[a-z0-9])){0,31}$/.test(name))
        return { expected: `${this.expects} (a name has small letters, digits and single hyphens: "${name}")` };
      const provider = providerOf(name, written);
      if (!('value' in provider)) return { expected: `${this.expects} (in ${name}, ${provider.expected})` };
      providers[name] = provider.value;
    }
    return Object.keys(providers).length > mostProviders
      ? { expected: `at most ${mostProviders} providers` }
      : { value: providers };
  },
};

/** The environment variable of a provider's secret. */
export const secretVariable = (name: string): string => `RECTO_AUTH_${name.toUpperCase().replaceAll('-', '_')}_SECRET`;

/** The provider whose secret an environment variable has; undefined for a variable that has none. */
export const secretOwner = (variable: string): string | undefined =>
  /^RECTO_AUTH_([A-Z][A-Z0-9_]*)_SECRET$/.exec(variable)?.[1]?.toLowerCase().replaceAll('_', '-');

/** Secrets by the names of providers, as a JSON object. Variables of the environment are collected into it. */
export const authSecrets: SettingType<Readonly<Record<string, string>>> = {
  expects: 'a JSON object of texts by the names of providers',
  read(raw) {
    const table = typeof raw === 'string' ? parsed(raw) : undefined;
    if (!isTable(table)) return { expected: this.expects };
    const secrets = Object.entries(table).map(([name, secret]) => [name, typeof secret === 'string' ? secret : '']);
    return secrets.every(([, secret]) => secret !== '')
      ? { value: Object.fromEntries(secrets) }
      : { expected: this.expects };
  },
};

function providerOf(name: string, written: unknown): Reading<AuthProvider> {
  if (!isTable(written)) return { expected: 'there must be a table' };
  if ('client_secret' in written || 'secret' in written)
    return { expected: `the secret belongs into ${secretVariable(name)}, not into a file` };
  const unknown = Object.keys(written).find((option) => !options.includes(option));
  if (unknown !== undefined) return { expected: `"${unknown}" is no option: ${options.join(', ')}` };
  const kind = providerKinds.find((one) => one === written.kind);
  if (kind === undefined) return { expected: `kind is one of ${providerKinds.join(', ')}` };
  const issuer = issuerOf(kind, written.issuer);
  if (!('value' in issuer)) return issuer;
  const client = textOf(written.client_id, 'client_id', undefined);
  if (!('value' in client)) return client;
  const label = textOf(written.label, 'label', labels[kind] ?? name);
  if (!('value' in label)) return label;
  const rights = rightsOf(kind, written);
  if (!('value' in rights)) return rights;
  const ownTrust = trustedByDefault(kind, issuer.value);
  const flags = flagsOf(written, { trusted_email: ownTrust, registration: false, trusts_mfa: false });
  if (!('value' in flags)) return flags;
  const scopes = listOf(written.scopes, 'scopes', scopesOf(kind), /^[\x21\x23-\x5b\x5d-\x7e]+$/);
  if (!('value' in scopes)) return scopes;
  if (kind !== 'github' && !scopes.value.includes('openid')) return { expected: 'scopes must have openid' };
  const domains = listOf(written.domains, 'domains', [], /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
  if (!('value' in domains)) return domains;
  if (kind === 'github' && flags.value.trusts_mfa)
    return { expected: 'GitHub says nothing of second factors: leave trusts_mfa out' };
  return {
    value: {
      ...{ name, kind, issuer: issuer.value, clientId: client.value, label: label.value },
      ...{ scopes: scopes.value, domains: domains.value },
      trustedEmail: flags.value.trusted_email,
      registration: flags.value.registration,
      trustsMfa: flags.value.trusts_mfa,
      ...rights.value,
    },
  };
}

const scopesOf = (kind: ProviderKind): readonly string[] =>
  kind === 'github' ? ['read:user', 'user:email'] : ['openid', 'email', 'profile'];

/** Google and GitHub confirm addresses; Microsoft's are those of a tenant, which the operator knows only if it is named. */
function trustedByDefault(kind: ProviderKind, issuer: string): boolean {
  if (kind === 'microsoft') return tenantOf(issuer) !== undefined;
  return kind === 'google' || (kind === 'github' && issuer === issuers.github);
}

/** The tenant of Microsoft's that has all personal accounts. */
const personalAccounts = '9188040d-6c67-4c5b-b112-36a304b66dad';

const tenantNameOf = (issuer: string): string => new URL(issuer).pathname.split('/')[1] ?? '';

/** Whether an issuer of Microsoft's stands for those of many tenants. */
export const isOfManyTenants = (issuer: string): boolean => ['common', 'organizations'].includes(tenantNameOf(issuer));

/** The one tenant of an issuer of Microsoft's, whose administrators are known; undefined where anybody may be in it. */
export function tenantOf(issuer: string): string | undefined {
  const tenant = tenantNameOf(issuer);
  return tenant === '' || tenant === personalAccounts || isOfManyTenants(issuer) ? undefined : tenant;
}

function issuerOf(kind: ProviderKind, written: unknown): Reading<string> {
  if (written === undefined && kind !== 'oidc') return { value: issuers[kind] };
  const expected = 'issuer is the address of the provider, such as https://id.example.com/realms/main';
  if (typeof written !== 'string' || !URL.canParse(written)) return { expected };
  const url = new URL(written);
  const isPlain = url.username === '' && url.password === '' && !/[?#\s]/.test(written);
  if (!isPlain || !isProtected(url)) return { expected: `${expected}, by https:` };
  if (kind === 'microsoft' && tenantNameOf(written) === 'consumers')
    return { expected: `the issuer of personal accounts has the tenant ${personalAccounts} in place of consumers` };
  if (kind === 'google' && written !== issuers.google) return { expected: 'Google has one issuer: leave it out' };
  return { value: kind === 'github' ? url.origin : written };
}

/** Codes and secrets are not sent in the clear, other than within a machine. */
export const isProtected = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname));

/** What claims may give. */
function rightsOf(
  kind: ProviderKind,
  written: Readonly<Record<string, unknown>>,
): Reading<Pick<AuthProvider, 'roleClaim' | 'roles' | 'allowAdmin'>> {
  const { role_claim: claim, roles = {} } = written;
  if (claim === undefined && written.roles === undefined && written.allow_admin === undefined)
    return { value: { roleClaim: null, roles: {}, allowAdmin: false } };
  if (kind === 'github') return { expected: 'GitHub has no claims: leave role_claim, roles and allow_admin out' };
  if (typeof claim !== 'string' || claim === '') return { expected: 'roles and allow_admin need role_claim, a text' };
  const flags = flagsOf(written, { allow_admin: false });
  if (!('value' in flags)) return flags;
  if (!isTable(roles) || Object.keys(roles).length === 0)
    return { expected: 'roles is a table of roles by the values of the claim' };
  const known: [string, Role][] = [];
  for (const [value, role] of Object.entries(roles)) {
    // Whether there is such a role is checked at the start, when the installation's own are known.
    if (typeof role !== 'string' || !/^[a-z][a-z0-9_-]{0,49}$/.test(role))
      return { expected: 'roles has the names of roles: admin, editor, member, or those of your own' };
    if (role === 'admin' && !flags.value.allow_admin) return { expected: 'roles with admin need allow_admin = true' };
    known.push([value, role]);
  }
  return { value: { roleClaim: claim, roles: Object.fromEntries(known), allowAdmin: flags.value.allow_admin } };
}

function textOf(written: unknown, name: string, fallback: string | undefined): Reading<string> {
  const text = written ?? fallback;
  return typeof text === 'string' && text.trim() !== '' && text.length <= 300 && !/\p{Cc}/u.test(text)
    ? { value: text }
    : { expected: `${name} is a text` };
}

function flagsOf<Name extends string>(
  written: Readonly<Record<string, unknown>>,
  fallbacks: Readonly<Record<Name, boolean>>,
): Reading<Record<Name, boolean>> {
  const flags: Record<Name, boolean> = { ...fallbacks };
  // `Object.keys` is typed as strings; the object's keys are exactly `Name`.
  for (const name of Object.keys(fallbacks) as Name[]) {
    const value = written[name] ?? fallbacks[name];
    if (typeof value !== 'boolean') return { expected: `${name} is true or false` };
    flags[name] = value;
  }
  return { value: flags };
}

function listOf(
  written: unknown,
  name: string,
  fallback: readonly string[],
  shape: RegExp,
): Reading<readonly string[]> {
  const list = written ?? fallback;
  return Array.isArray(list) && list.every((item) => typeof item === 'string' && shape.test(item))
    ? { value: list.map(String) }
    : { expected: `${name} is a list of texts in their usual form` };
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
