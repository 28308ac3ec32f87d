import { join } from 'node:path';
import { FatalError } from '../base/fatal-error.ts';
import { nearestName } from '../base/nearest-name.ts';
import { isProtected, secretOwner, secretVariable } from './auth-provider-setting.ts';
import { languageFaults } from './language-setting.ts';
import {
  environmentName,
  fileName,
  type GivenValue,
  type GivenValues,
  type Setting,
  type SettingKey,
  type Settings,
  settingKeys,
  settingTable,
} from './setting-table.ts';
import type { DatabaseLocation, RawSetting } from './setting-type.ts';
import { readSettingsFile } from './settings-file.ts';
import { shownText } from './shown-text.ts';

export type { Settings } from './setting-table.ts';
export type { DatabaseLocation } from './setting-type.ts';

/** The settings file, in the working folder. */
export const settingsFileName = 'recto.toml';

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting as it was written, and where: `RECTO_PORT`, `recto.toml: port`. */
interface Written {
  readonly source: GivenValue['source'];
  readonly place: string;
  readonly raw: unknown;
}

/**
 * Reads all settings: the environment (`RECTO_…`) first, then the file (a missing one counts as empty), then the defaults.
 * `RECTO_TEST_…` is reserved for tests.
 * Throws one `FatalError` that lists every unknown or malformed setting, without the values of secrets.
 */
export function readSettings(environment: Environment, file?: string): Settings {
  const faults: string[] = [];
  const written = new Map<SettingKey, Written>();
  if (file !== undefined) collectFile(file, written, faults);
  collectEnvironment(environment, written, faults);
  return settingsOf(written, faults);
}

/** Settings passed by a program: named as in `Settings`, with values as in an environment variable or `recto.toml`. */
export type GivenSettings = { readonly [Key in SettingKey]?: RawSetting | undefined };

/** Checks settings passed by a program and fills in defaults. Throws as `readSettings` does; reads no environment and no file. */
export function checkSettings(given: GivenSettings): Settings {
  const faults: string[] = [];
  const written = new Map<SettingKey, Written>();
  const keys = new Map(settingKeys.map((key): [string, SettingKey] => [key, key]));
  for (const [name, raw] of Object.entries(given)) {
    if (raw === undefined) continue;
    const key = keys.get(name);
    if (key === undefined) faults.push(unknownSetting(`settings.${name}`, name, keys.keys()));
    else written.set(key, { source: 'program', place: `settings.${name}`, raw });
  }
  return settingsOf(written, faults);
}

/** `faults` are the errors found in the names. */
function settingsOf(written: ReadonlyMap<SettingKey, Written>, faults: string[]): Settings {
  const values: Partial<Record<SettingKey, unknown>> = {};
  for (const key of settingKeys) {
    const source = written.get(key);
    values[key] = source === undefined ? settingTable[key].default : readOne(settingTable[key], source, faults);
  }
  // Each value is its table entry's default, or was read by that entry's type.
  const settings = { ...values, given: givenValues(written) } as Settings;
  if (faults.length === 0) checkTogether(settings, faults);
  if (faults.length > 0) throw new FatalError(refusal(faults));
  return settings;
}

/** Where settings come from, and what was written there; nothing of secrets, and of addresses what may be shown. */
function givenValues(written: ReadonlyMap<SettingKey, Written>): GivenValues {
  const entries = [...written].map(([key, { source, raw }]): [SettingKey, GivenValue] => {
    const { secret, type }: Setting<unknown> = settingTable[key];
    const text = Array.isArray(raw) ? raw.join(', ') : String(raw);
    return [key, secret ? { source } : { source, text: shownText(text, type.isAddress === true) }];
  });
  // Keys are setting keys, values are what the type says.
  return Object.fromEntries(entries) as GivenValues;
}

/** The settings with a number of workers from the command line. */
export const withWorkers = (settings: Settings, workers: Settings['workers']): Settings => ({
  ...settings,
  workers,
  given: { ...settings.given, workers: { source: 'command_line', text: String(workers) } },
});

/** Where the database is. */
export function databaseLocation(settings: Settings): DatabaseLocation {
  return settings.databaseUrl ?? { kind: 'sqlite', path: join(settings.dataDir, 'recto.db') };
}

function collectFile(file: string, written: Map<SettingKey, Written>, faults: string[]): void {
  const content = readSettingsFile(file);
  if ('fault' in content) {
    faults.push(content.fault);
    return;
  }
  const keys = new Map(settingKeys.map((key) => [fileName(key), key]));
  for (const [name, raw] of Object.entries(withLanguages(withProviders(withPresets(content.entries))))) {
    const key = keys.get(name);
    if (key === undefined) faults.push(unknownSetting(`${file}: ${name}`, name, keys.keys()));
    else written.set(key, { source: 'file', place: `${file}: ${name}`, raw });
  }
}

/** `[media.presets.card]` is a table, which the setting takes as JSON. */
function withPresets({ media, ...entries }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (media === undefined) return entries;
  if (typeof media !== 'object' || media === null) return { ...entries, media };
  const { presets, ...others } = { presets: undefined, ...media };
  const unknown = Object.keys(others).map((name) => [`media.${name}`, null]);
  return { ...entries, ...Object.fromEntries(unknown), media_presets: JSON.stringify(presets ?? {}) };
}

/** `[auth.providers.google]` is a table, which the setting takes as JSON. */
function withProviders({ auth, ...entries }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (auth === undefined) return entries;
  if (typeof auth !== 'object' || auth === null) return { ...entries, auth };
  const { providers, ...others } = { providers: undefined, ...auth };
  const unknown = Object.keys(others).map((name) => [`auth.${name}`, null]);
  return { ...entries, ...Object.fromEntries(unknown), auth_providers: JSON.stringify(providers ?? {}) };
}

/** `[languages]` is a table, of which each part is a setting; without one, `languages` is the list alone. */
function withLanguages({
  languages,
  ...entries
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (languages === undefined) return entries;
  if (typeof languages !== 'object' || languages === null || Array.isArray(languages)) return { ...entries, languages };
  const { list, fallbacks, urls, ...others } = {
    ...{ list: undefined, fallbacks: undefined, urls: undefined },
    ...languages,
  };
  return {
    ...entries,
    ...Object.fromEntries(Object.keys(others).map((name) => [`languages.${name}`, null])),
    ...(list === undefined ? {} : { languages: list }),
    ...(fallbacks === undefined ? {} : { language_fallbacks: JSON.stringify(fallbacks) }),
    ...(urls === undefined ? {} : { language_urls: JSON.stringify(urls) }),
  };
}

function collectEnvironment(environment: Environment, written: Map<SettingKey, Written>, faults: string[]): void {
  const keys = new Map(settingKeys.map((key) => [environmentName(key), key]));
  const secrets: Record<string, string> = {};
  for (const [name, raw] of Object.entries(environment)) {
    if (raw === undefined || !name.startsWith('RECTO_') || name.startsWith('RECTO_TEST_')) continue;
    const key = keys.get(name);
    const owner = secretOwner(name);
    if (key === undefined && owner !== undefined) {
      if (raw === '') faults.push(`${name} is empty: it must be the client secret of a provider, or left out`);
      secrets[owner] = raw;
    } else if (key === undefined) faults.push(unknownSetting(name, name, keys.keys()));
    else written.set(key, { source: 'environment', place: name, raw });
  }
  if (Object.keys(secrets).length > 0 && !written.get('authSecrets')?.place.startsWith('RECTO_'))
    written.set('authSecrets', {
      ...{ source: 'environment', place: 'RECTO_AUTH_{NAME}_SECRET', raw: JSON.stringify(secrets) },
    });
}

function unknownSetting(place: string, name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return `${place}: there is no such setting${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

function readOne(setting: Setting<unknown>, { place, raw }: Written, faults: string[]): unknown {
  const { expects, takesEmpty } = setting.type;
  if (raw === '' && takesEmpty !== true) {
    faults.push(`${place} is empty: it must be ${expects}, or left out`);
    return undefined;
  }
  const reading = isRaw(raw) ? setting.type.read(raw) : { expected: expects };
  if ('value' in reading) return reading.value;
  const shown = setting.secret || !isRaw(raw) ? '' : ` is ${JSON.stringify(shownRaw(setting.type, raw))}:`;
  faults.push(`${place}${shown === '' ? ' is invalid:' : shown} it must be ${reading.expected}`);
  return undefined;
}

function shownRaw({ isAddress = false }: Setting<unknown>['type'], raw: RawSetting): RawSetting {
  if (typeof raw === 'string') return shownText(raw, isAddress);
  return typeof raw === 'object' ? raw.map((item) => shownText(item, isAddress)) : raw;
}

/** TOML also has tables, dates and mixed arrays, which no setting accepts. */
function isRaw(raw: unknown): raw is RawSetting {
  if (Array.isArray(raw)) return raw.every((item) => typeof item === 'string');
  return typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'boolean';
}

function checkTogether(settings: Settings, faults: string[]): void {
  if ((settings.adminEmail === undefined) !== (settings.adminPassword === undefined)) {
    faults.push('RECTO_ADMIN_EMAIL and RECTO_ADMIN_PASSWORD belong together: set both, or neither');
  }
  if (settings.databaseReplicaUrls.length > 0 && settings.databaseUrl?.kind !== 'postgres') {
    faults.push(
      'RECTO_DATABASE_REPLICA_URLS needs the PostgreSQL database that they are standbys of in RECTO_DATABASE_URL',
    );
  }
  faults.push(...languageFaults(settings));
  checkMail(settings, faults);
  checkProviders(settings, faults);
  if (settings.passkeyOrigins.length > 0 && settings.url === undefined)
    faults.push('RECTO_PASSKEY_ORIGINS needs RECTO_URL: the origin of this service, whose host passkeys belong to');
}

/** The provider sends people back to an address of this service, which never follows from a header of a request. */
function checkProviders({ authProviders, authSecrets, url }: Settings, faults: string[]): void {
  const names = Object.keys(authProviders);
  for (const name of names.filter((one) => authSecrets[one] === undefined))
    faults.push(`[auth.providers.${name}] needs its client secret in ${secretVariable(name)}`);
  for (const name of Object.keys(authSecrets).filter((one) => authProviders[one] === undefined)) {
    const nearest = nearestName(name, names);
    const hint = nearest === undefined ? '' : `; did you mean ${secretVariable(nearest)}?`;
    faults.push(`${secretVariable(name)}: there is no provider "${name}"${hint}`);
  }
  if (names.length === 0) return;
  if (url === undefined) faults.push('[auth.providers] needs RECTO_URL: the origin that providers send people back to');
  else if (!isProtected(new URL(url)))
    faults.push('[auth.providers] needs a RECTO_URL by https:, or on localhost: what comes back signs people in');
}

/** Links in mails never follow from a header of a request, so the service has to know where it is. */
function checkMail({ mailUrl, mailFrom, url, verifyEmail, signInCodes }: Settings, faults: string[]): void {
  if (mailUrl === undefined) {
    if (verifyEmail !== 'off') faults.push('RECTO_VERIFY_EMAIL needs RECTO_MAIL_URL');
    if (signInCodes !== 'off') faults.push('RECTO_SIGN_IN_CODES needs RECTO_MAIL_URL');
    return;
  }
  if (url === undefined)
    faults.push('RECTO_MAIL_URL needs RECTO_URL: the origin of this service, which links in mails begin with');
  if (mailFrom === undefined) faults.push('RECTO_MAIL_URL needs RECTO_MAIL_FROM: whom mails are from');
}

/** The settings of `recto dev`: without RECTO_MAIL_URL, mails are kept for the admin’s inbox. */
export const withDevelopmentMail = (settings: Settings): Settings =>
  settings.mailUrl !== undefined || (settings.port === 0 && settings.url === undefined)
    ? settings
    : {
        ...settings,
        mailUrl: { kind: 'log' },
        mailFrom: settings.mailFrom ?? developmentSender,
        url: settings.url ?? `http://localhost:${settings.port}`,
      };

const developmentSender = { name: 'Recto', email: { address: 'recto@example.com', key: 'recto@example.com' } };

function refusal(faults: readonly string[]): string {
  const count = faults.length === 1 ? 'One setting is' : `${faults.length} settings are`;
  return `${count} invalid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`;
}
