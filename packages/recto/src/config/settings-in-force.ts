import {
  environmentName,
  fileName,
  type Setting,
  type SettingSource,
  type Settings,
  settingKeys,
  settingTable,
} from './setting-table.ts';

/** A setting as people see it who look after the installation. */
export interface SettingInForce {
  /** The environment variable: `RECTO_PORT`. */
  readonly name: string;
  /** In `recto.toml`: `port`. */
  readonly file_name: string;
  /** As it was written, or the default; of an address without its user, password and query. Null for a secret, and for none. */
  readonly value: string | null;
  readonly source: SettingSource;
  /** The value is never shown. */
  readonly secret: boolean;
  /** Whether it was given. */
  readonly set: boolean;
  /** The default in words; null for none. */
  readonly default: string | null;
  /** What it takes. */
  readonly accepts: string;
  readonly description: string;
}

/** All settings that this process runs with, without a secret in them. */
export const settingsInForce = ({ given }: Pick<Settings, 'given'>): readonly SettingInForce[] =>
  settingKeys.map((key) => {
    const { secret, defaultText, type, doc }: Setting<unknown> = settingTable[key];
    const { source = 'default', text = defaultText } = given[key] ?? {};
    return {
      name: environmentName(key),
      file_name: fileName(key),
      value: secret || text === '' ? null : text,
      source,
      secret,
      set: source !== 'default',
      default: defaultText === '' ? null : defaultText,
      accepts: type.expects,
      description: doc,
    };
  });
