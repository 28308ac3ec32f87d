import { isIP, isIPv6 } from 'node:net';
import { hasInvisible } from '../base/invisible-characters.ts';
import type { AllowedTarget, IpNetwork } from '../base/net/allowed-target.ts';
import { shownText } from './shown-text.ts';

/** A value of an environment variable or a key of `recto.toml`. */
export type RawSetting = string | number | boolean | readonly string[];

/** A value, or a description of valid values to follow "it must be". */
export type Reading<T> = { readonly value: T } | { readonly expected: string };

export interface SettingType<T> {
  /** For `--help` and the documentation: `whole number from 0 to 65535`. */
  readonly expects: string;
  /** Whether an empty text is a valid value. */
  readonly takesEmpty?: boolean;
  /** Its values are addresses, which are shown without users, passwords and queries. */
  readonly isAddress?: boolean;
  read(raw: RawSetting): Reading<T>;
}

/** More processes than this are a mistake: no machine has so many cores. */
const mostWorkers = 1024;

const fits = <T>(value: T): Reading<T> => ({ value });

function ofText<T>(expects: string, read: (text: string) => T | undefined): SettingType<T> {
  return {
    expects,
    read(raw) {
      const value = typeof raw === 'string' ? read(raw) : undefined;
      return value === undefined ? { expected: expects } : fits(value);
    },
  };
}

export function wholeNumber(least: number, most: number): SettingType<number> {
  const expects = least === most ? `${least}` : `a whole number from ${least} to ${most}`;
  return {
    expects,
    read(raw) {
      const number = typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : raw;
      const inRange = typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most;
      return inRange ? fits(number) : { expected: expects };
    },
  };
}

/** How many processes: a number, or as many as there are cores. */
export const workerCount: SettingType<number | 'auto'> = {
  expects: `${wholeNumber(1, mostWorkers).expects}, or auto`,
  read(raw) {
    const number = wholeNumber(1, mostWorkers).read(raw);
    if ('value' in number) return number;
    return raw === 'auto' ? fits('auto') : { expected: workerCount.expects };
  },
};

const unitBytes: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1000,
  mb: 1000 ** 2,
  gb: 1000 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/** A number of bytes, bare or with a unit: `65536`, `64KiB`, `1.5 MB`. */
export function byteSize(least: number, most: number): SettingType<number> {
  const expects = `a size from ${describeBytes(least)} to ${describeBytes(most)}, in bytes or with KB, MB, GB, KiB, MiB, GiB`;
  return {
    expects,
    read(raw) {
      const parts = /^(\d{1,15}(?:\.\d{1,6})?) ?([a-z]*)$/i.exec(String(raw));
      const unit = unitBytes[parts?.[2]?.toLowerCase() ?? ''];
      const bytes = unit === undefined ? Number.NaN : Math.floor(Number(parts?.[1]) * unit);
      return bytes >= least && bytes <= most ? fits(bytes) : { expected: expects };
    },
  };
}

/** The largest binary unit that divides it: `64MiB`. */
export function describeBytes(bytes: number): string {
  for (const unit of ['GiB', 'MiB', 'KiB']) {
    const size = unitBytes[unit.toLowerCase()] ?? 1;
    if (bytes >= size && bytes % size === 0) return `${bytes / size}${unit}`;
  }
  return `${bytes}`;
}

export function oneOf<const T extends string>(...words: readonly T[]): SettingType<T> {
  return ofText(`one of ${words.join(', ')}`, (text) => words.find((word) => word === text.toLowerCase()));
}

export const onOrOff: SettingType<boolean> = {
  expects: 'on or off',
  read(raw) {
    const word = String(raw).toLowerCase();
    if (word === 'on' || word === 'true') return fits(true);
    if (word === 'off' || word === 'false') return fits(false);
    return { expected: 'on or off' };
  },
};

export const path: SettingType<string> = ofText('a path', (text) => (text.includes('\0') ? undefined : text));

export const hostName: SettingType<string> = {
  ...ofText('an address or a host name', (text) => (/^[\w.:-]+$/.test(text) ? text : undefined)),
  isAddress: true,
};

export const emailAddress: SettingType<string> = ofText('an e-mail address', (text) =>
  /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254 && !hasInvisible(text) ? text : undefined,
);

export const siteName: SettingType<string> = ofText('a name of at most 60 characters', (text) =>
  text.trim() !== '' && [...text].length <= 60 && !hasInvisible(text) ? text.trim() : undefined,
);

export const textOfAtLeast = (characters: number): SettingType<string> =>
  ofText(`a text of at least ${characters} characters`, (text) => ([...text].length >= characters ? text : undefined));

/** An item of a list that is not valid, as a message names it. A comma in a password makes several items of one address. */
const wrongItem = (items: readonly string[], wrong: string): string =>
  items.some((item) => item.includes('@')) ? 'one of them' : JSON.stringify(shownText(wrong, true));

/** Items separated by commas, or an array in `recto.toml`. A message says that a wrong item "is" `isWhat`. */
const listOf = <T>(
  expects: string,
  isWhat: string,
  read: (item: string) => T | undefined,
): SettingType<readonly T[]> => ({
  expects,
  takesEmpty: true,
  read(raw) {
    if (typeof raw !== 'string' && !Array.isArray(raw)) return { expected: expects };
    const parts: readonly string[] = typeof raw === 'string' ? raw.split(',') : raw;
    const items = parts.map((part) => part.trim()).filter((part) => part !== '');
    const values: T[] = [];
    for (const item of items) {
      const value = read(item);
      if (value === undefined) return { expected: `${expects} (${wrongItem(parts, item)} is ${isWhat})` };
      values.push(value);
    }
    return fits(values);
  },
});

/** A list whose items are addresses. */
export const addressList = <T>(...list: Parameters<typeof listOf<T>>): SettingType<readonly T[]> => ({
  ...listOf(...list),
  isAddress: true,
});

/** Web origins (RFC 6454), separated by commas, or `*` for any. An array in `recto.toml`. */
export const originList: SettingType<readonly string[]> = addressList(
  'a list of origins such as https://example.com, separated by commas, or *',
  'no origin',
  (origin) => (origin === '*' || isOrigin(origin) ? origin : undefined),
);

/** The same, and each of them named. */
export const namedOrigins: SettingType<readonly string[]> = addressList(
  'a list of origins such as https://example.com, separated by commas',
  'no origin',
  (origin) => (isOrigin(origin) ? origin : undefined),
);

/** Which proxies are trusted: those in some networks, or a number of them in front of the service, whatever their addresses. */
export type ProxyTrust = readonly IpNetwork[] | number;

const trustedNetworks = addressList(
  'a list of addresses or networks such as 10.0.0.0/8, separated by commas, or a number of proxies from 1 to 9',
  'neither',
  ipNetwork,
);

/** Addresses and networks in CIDR notation (RFC 4632, RFC 4291), separated by commas; or how many proxies there are. An array in `recto.toml`. */
export const proxyTrust: SettingType<ProxyTrust> = {
  ...trustedNetworks,
  read: (raw) => (/^[1-9]$/.test(String(raw)) ? fits(Number(raw)) : trustedNetworks.read(raw)),
};

function ipNetwork(text: string): IpNetwork | undefined {
  const [, address = '', digits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = isIPv6(address) ? 128 : 32;
  const prefix = digits === undefined ? bits : Number(digits);
  return isIP(address) === 0 || prefix > bits ? undefined : { address, prefix };
}

/** Addresses, networks and host names, each with an optional port, separated by commas. An array in `recto.toml`. */
export const targetList: SettingType<readonly AllowedTarget[]> = addressList(
  'a list of addresses, networks or host names, each with an optional port, such as 10.0.0.0/8, hooks.local:8080',
  'none of these',
  allowedTarget,
);

/** `10.0.0.0/8:8080`, `[::1]:8080`, `hooks.local`. An IPv6 address with a port has brackets. */
function allowedTarget(text: string): AllowedTarget | undefined {
  const whole = ipNetwork(text);
  if (whole !== undefined) return { kind: 'network', ...whole, port: null };
  const [, bracketed, plain = '', digits] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) return undefined;
  const network = ipNetwork(bracketed ?? plain);
  if (network !== undefined) return { kind: 'network', ...network, port };
  const isName = bracketed === undefined && /^(?=.{1,253}$)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/i.test(plain);
  return isName && !/^[\d.]+$/.test(plain)
    ? { kind: 'host', name: plain.toLowerCase().replace(/\.$/, ''), port }
    : undefined;
}

/** A web address: scheme, host and optional path, without a trailing slash. */
export const webAddress: SettingType<string> = {
  ...ofText('an address such as https://example.com', (text) => {
    const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || url.username !== '' || url.password !== '' || /[?#]/.test(text)) return undefined;
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  }),
  isAddress: true,
};

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** Where a database is. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly path: string }
  /** `postgres://user:password@host:5432/name?sslmode=verify-full`. */
  | { readonly kind: 'postgres'; readonly url: string };

const sqliteFile = /^sqlite:(?:\/\/(?=\/))?(.+)$/i;
const postgresScheme = /^postgres(?:ql)?:\/\//i;

/** Where the records are. It may contain a password, so messages never repeat it. */
export const databaseUrl: SettingType<DatabaseLocation> = {
  expects: 'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME',
  read(raw) {
    const text = String(raw);
    if (postgresScheme.test(text)) {
      const url = postgresAddress.read(text);
      return 'value' in url ? fits({ kind: 'postgres', url: url.value }) : url;
    }
    const file = sqliteFile.exec(text)?.[1];
    if (file === undefined) return { expected: this.expects };
    if (file.includes(':memory:')) return { expected: 'sqlite:PATH with a file, as the service keeps its records' };
    return fits({ kind: 'sqlite', path: file });
  },
};

/** A PostgreSQL database, for settings that exist only there. */
export const postgresAddress: SettingType<string> = {
  expects: 'postgres://USER:PASSWORD@HOST:PORT/NAME',
  read(raw) {
    const text = String(raw);
    if (!postgresScheme.test(text) || !URL.canParse(text)) {
      return {
        expected: `${this.expects} (with what has a meaning in addresses written as %40 for @, %2F for / and so on)`,
      };
    }
    const { pathname, searchParams } = new URL(text);
    const named = pathname.length > 1 || searchParams.has('dbname');
    return named ? fits(text) : { expected: `${this.expects}, with the name of the database` };
  },
};

/** Several PostgreSQL databases, separated by commas. An array in `recto.toml`. */
export const postgresAddresses: SettingType<readonly string[]> = {
  expects: `a list of ${postgresAddress.expects}, separated by commas`,
  takesEmpty: true,
  read(raw) {
    if (typeof raw !== 'string' && !Array.isArray(raw)) return { expected: this.expects };
    const parts: readonly string[] = typeof raw === 'string' ? raw.split(',') : raw;
    const urls: string[] = [];
    for (const written of parts.map((part) => part.trim()).filter((part) => part !== '')) {
      const url = postgresAddress.read(written);
      if (!('value' in url)) return { expected: `${this.expects}; each must be ${url.expected}` };
      urls.push(url.value);
    }
    return fits(urls);
  },
};

/** A bucket of S3, or of a store that speaks its protocol. */
export interface S3Location {
  readonly kind: 's3';
  readonly bucket: string;
  /** What all keys begin with: empty, or ends in a slash. */
  readonly prefix: string;
  /** Default: AWS. */
  readonly endpoint?: string;
  readonly region?: string;
  /** The bucket's name is part of the host, not of the path. */
  readonly virtualHosted: boolean;
}

/** Where files are kept. */
export type StorageLocation = { readonly kind: 'file'; readonly path: string } | S3Location;

/** Where files are kept. Keys of S3 are not part of it. */
export const storageUrl: SettingType<StorageLocation> = {
  expects: 'file:PATH or s3://BUCKET/PREFIX?endpoint=…&region=…',
  isAddress: true,
  read(raw) {
    const text = String(raw);
    const file = /^file:(?:\/\/(?=\/))?(.+)$/i.exec(text)?.[1];
    if (file !== undefined && !file.includes('\0')) return fits({ kind: 'file', path: file });
    return /^s3:\/\//i.test(text) && URL.canParse(text) ? s3Location(new URL(text)) : { expected: this.expects };
  },
};

const s3Options: ReadonlySet<string> = new Set(['endpoint', 'region', 'style']);

const withoutKeys = ', without keys, which are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

const hasCredentials = ({ username, password, search, hash }: URL): boolean =>
  [username, password, search, hash].some((part) => part !== '');

function s3Location({ hostname, pathname, searchParams, username, password }: URL): Reading<S3Location> {
  const expected = storageUrl.expects;
  if (username !== '' || password !== '') {
    return { expected: `${expected}${withoutKeys}` };
  }
  const hasUnknown = [...searchParams.keys()].some((name) => !s3Options.has(name));
  if (hasUnknown) return { expected: `${expected} (its options are endpoint, region and style)` };
  const style = searchParams.get('style') ?? 'path';
  if (style !== 'path' && style !== 'host') return { expected: `${expected} (style is path or host)` };
  const endpoint = searchParams.get('endpoint');
  if (endpoint !== null && !(/^https?:/i.test(endpoint) && URL.canParse(endpoint)))
    return { expected: `${expected} (endpoint is an address such as https://s3.example.com)` };
  if (endpoint !== null && hasCredentials(new URL(endpoint)))
    return { expected: `${expected}${withoutKeys}; endpoint has no user, password or query` };
  const region = searchParams.get('region');
  const path = pathname.replace(/^\/+|\/+$/g, '');
  if (!/^[a-z0-9][a-z0-9.-]{1,62}$/.test(hostname) || !/^[\w./-]*$/.test(path)) return { expected };
  return fits({
    kind: 's3',
    bucket: hostname,
    prefix: path === '' ? '' : `${path}/`,
    ...(endpoint === null ? {} : { endpoint: endpoint.replace(/\/+$/, '') }),
    ...(region === null ? {} : { region }),
    virtualHosted: style === 'host',
  });
}

/** Media types, `image/*` for all of a kind, separated by commas. An array in `recto.toml`. */
export const mediaTypeList: SettingType<readonly string[]> = listOf(
  'a list of media types such as image/*, separated by commas',
  'none',
  (text) => (/^[a-z0-9.+-]+\/(?:\*|[a-z0-9.+-]+)$/i.test(text) ? text.toLowerCase() : undefined),
);
