import Type from 'typebox';
import { hasInvisible, invisibleSet } from '../../base/invisible-characters.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { defineFieldType, type Field, type ParsedValue } from '../field-type.ts';
import { accepted, rejected } from '../fields/parsed-value.ts';
import { parseText } from '../fields/text-options.ts';
import { protocolField } from '../protocols/protocol-field.ts';

const longest = { display_name: 100, bio: 2000, address: 2048 } as const;

/** White space, control characters and backslashes: browsers drop them or read them as `/`, so that an address means another place. */
const misleading = /[\s\p{Cc}\\]/u;

/** One line that people read: with invisible characters, one person could be called what another is called. */
const displayName = defineFieldType({
  name: 'display_name',
  kind: 'text',
  longest: longest.display_name,
  input: () => Type.String({ maxLength: longest.display_name }),
  documentedInput: () =>
    Type.String({ maxLength: longest.display_name, pattern: `^[^\\p{Cc}\\u2028\\u2029${invisibleSet}]*$` }),
  parse(value) {
    const text = parseText(value, { max_length: longest.display_name });
    if (!text.ok || typeof text.value !== 'string') return text;
    if (/[\p{Cc}\u2028\u2029]/u.test(text.value))
      return rejected('bad_format', 'Must not have control characters or line breaks.');
    if (hasInvisible(text.value)) return rejected('bad_format', 'Must not have invisible characters.');
    return accepted(text.value.normalize('NFC').trim());
  },
});

const bio = defineFieldType({
  name: 'bio',
  kind: 'text',
  longest: longest.bio,
  input: () => Type.String({ maxLength: longest.bio }),
  documentedInput: () =>
    Type.String({
      maxLength: longest.bio,
      pattern: String.raw`^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$`,
    }),
  parse(value) {
    const text = parseText(value, { max_length: longest.bio });
    if (!text.ok || !/[^\P{Cc}\t\n\r]/u.test(String(text.value))) return text;
    return rejected('bad_format', 'Must not have control characters other than line breaks and tabs.');
  },
});

const website = defineFieldType({
  name: 'website',
  kind: 'text',
  longest: longest.address,
  input: () => Type.String({ maxLength: longest.address }),
  documentedInput: () => Type.String({ maxLength: longest.address, pattern: `^${absolute}$` }),
  parse: (value) => parseAddress(value, isWebsite, 'Must be an address that begins with https:// or http://.'),
});

const avatar = defineFieldType({
  name: 'avatar',
  kind: 'text',
  longest: longest.address,
  input: () => Type.String({ maxLength: longest.address }),
  documentedInput: () => Type.String({ maxLength: longest.address, pattern: `^(?:${absolute}|${path})$` }),
  parse: (value) =>
    parseAddress(
      value,
      (text) => isWebsite(text) || isPath(text),
      'Must be an address that begins with https:// or http://, or a path that begins with /.',
    ),
});

/** The same as patterns. That an absolute one is a URL is left to `parse`. */
const absolute = String.raw`[hH][tT][tT][pP][sS]?://[^\s\u0000-\u001f\u007f-\u009f\\]+`;
const path = String.raw`/(?:[^/\s\u0000-\u001f\u007f-\u009f\\][^\s\u0000-\u001f\u007f-\u009f\\]*)?`;

function parseAddress(value: JsonValue, isAddress: (text: string) => boolean, message: string): ParsedValue {
  const text = parseText(value, { max_length: longest.address });
  if (!text.ok || (typeof text.value === 'string' && isAddress(text.value))) return text;
  return rejected('bad_format', message);
}

/** Two slashes at the start would name another host. */
const isPath = (text: string): boolean => text.startsWith('/') && !text.startsWith('//') && !misleading.test(text);

function isWebsite(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || misleading.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  // `https://bank.example@other.example` leads to the second.
  return username === '' && password === '';
}

const profileField = (name: string, type: Field['type'], description: string): Field =>
  Object.freeze(protocolField(name, type, { required: false, writable: true, description }));

/** What an account says of itself to everyone, as its columns are named. */
export const profileFields = {
  display_name: profileField('display_name', displayName, 'The name that is shown with what the account has written.'),
  avatar: profileField('avatar', avatar, 'The address of a picture.'),
  bio: profileField('bio', bio, 'A few words about the person.'),
  website: profileField('website', website, 'The person’s own site.'),
} as const;

export type ProfileName = keyof typeof profileFields;

// True because these are the names of the object above.
export const profileNames = Object.keys(profileFields) as readonly ProfileName[];
