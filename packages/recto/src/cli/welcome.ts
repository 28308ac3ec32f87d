import { resolve } from 'node:path';
import type { FirstAdmin } from '../auth/first-admin.ts';
import { countOf } from '../base/count-of.ts';
import { version } from '../base/version.ts';
import { databaseLocation, type Settings } from '../config/settings.ts';
import { describeLocation } from '../database/open-database.ts';
import type { ListedTypes } from '../service/listed-types.ts';

export interface Welcome {
  readonly url: string;
  readonly settings: Settings;
  readonly types: ListedTypes;
  /** The first admin, if this start created it. */
  readonly admin: FirstAdmin | undefined;
}

const mostListed = 12;

/** What `recto start` prints. A generated password is shown here and nowhere else. */
export function welcomeText({ url, settings, types, admin }: Welcome): string {
  const width = Math.max(12, ...types.own.slice(0, mostListed).map(({ plural }) => plural.length));
  const line = (label: string, text: string): string => `  ${label.padEnd(width)}  ${text}`;
  const lines = [
    '',
    `  Recto ${version} at ${url}`,
    '',
    line('Database', describeLocation(databaseLocation(settings))),
    line('API document', `${url}/api/v1/openapi.json`),
    ...(settings.admin ? [line('Admin', `${url}/admin/`)] : []),
    '',
    ...typeLines(settings, types, line),
    ...(admin === undefined ? [] : adminLines(admin, settings.admin ? url : null, line)),
  ];
  return `${lines.join('\n')}\n`;
}

type Line = (label: string, text: string) => string;

const typeLines = (settings: Settings, { own, builtIn }: ListedTypes, line: Line): readonly string[] => [
  ...ownTypeLines(settings, own, line),
  line('Built in', builtIn.join('  ')),
  '',
];

function ownTypeLines(settings: Settings, types: ListedTypes['own'], line: Line): readonly string[] {
  if (types.length === 0) {
    const inAdmin = settings.admin ? ', or make one in the admin' : '';
    return [
      `  No content types of your own yet: put one in ${resolve(settings.contentTypesDir)} and start again${inAdmin}.`,
    ];
  }
  const listed = types.slice(0, mostListed).map(({ plural, address }) => line(plural, address));
  const more = types.length > mostListed ? [line('', `and ${types.length - mostListed} more`)] : [];
  return [`  ${countOf(types.length, 'content type')}`, ...listed, ...more];
}

/** `url` is null where the admin is closed. */
function adminLines({ email, generatedPassword }: FirstAdmin, url: string | null, line: Line): readonly string[] {
  if (generatedPassword === null) return ['  The first admin', line('E-mail', email), ''];
  return [
    '  The first admin; the password is shown this once',
    line('E-mail', email),
    line('Password', generatedPassword),
    // Behind `#`, it is sent to no server. The page replaces it with an address and a password of the reader's choice.
    ...(url === null ? [] : [line('Set up', `${url}/admin/setup#${generatedPassword}`)]),
    '',
  ];
}
