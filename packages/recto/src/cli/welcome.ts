import { resolve } from 'node:path';
import type { FirstAdmin } from '../auth/first-admin.ts';
import { countOf } from '../base/count-of.ts';
import { version } from '../base/version.ts';
import { databaseLocation, type Settings } from '../config/settings.ts';
import { describeLocation } from '../database/open-database.ts';
import type { ContentType } from '../definition/content-type.ts';
import { ownTypes } from '../features/own-types.ts';
import { typeAddress } from '../http/type-address.ts';

export interface Welcome {
  readonly url: string;
  readonly settings: Settings;
  readonly types: readonly ContentType[];
  /** The first admin, if this start created it. */
  readonly admin: FirstAdmin | undefined;
}

const listedTypes = 12;

/** What `recto start` prints. A generated password is shown here and nowhere else. */
export function welcomeText({ url, settings, types, admin }: Welcome): string {
  const width = Math.max(
    12,
    ...ownTypes(types)
      .slice(0, listedTypes)
      .map(({ plural }) => plural.length),
  );
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

function typeLines(settings: Settings, types: readonly ContentType[], line: Line): readonly string[] {
  const builtIn = types.filter((type) => type.builtIn).map(typeAddress);
  return [...ownTypeLines(settings, ownTypes(types), line), line('Built in', builtIn.join('  ')), ''];
}

function ownTypeLines(settings: Settings, types: readonly ContentType[], line: Line): readonly string[] {
  if (types.length === 0) {
    return [`  No content types yet: put one in ${resolve(settings.contentTypesDir)} and start again.`];
  }
  const listed = types.slice(0, listedTypes).map((type) => line(type.plural, typeAddress(type)));
  const more = types.length > listedTypes ? [line('', `and ${types.length - listedTypes} more`)] : [];
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
