import { momentOf } from './pocketbase-field.ts';
import { Untranslatable } from './untranslatable.ts';

/** A text as rules write it. Throws an `Untranslatable` for characters that they cannot have. */
export function quoted(text: string): string {
  if (/[^\P{Cc}\n\r\t]/u.test(text)) throw new Untranslatable('It compares with control characters.');
  const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return `"${text.replaceAll(/[\\"\n\r\t]/g, (character) => escapes[character] ?? character)}"`;
}

/** A pattern of `~`: PocketBase looks for the text anywhere, unless it has a `%` of its own. Throws an `Untranslatable` for one that matches everything. */
export function pattern(text: string): string {
  const isOwn = /(?:^|[^\\])(?:\\\\)*%/.test(text);
  if (text === '' || /^%+$/.test(text)) throw new Untranslatable('It looks for an empty text, which is everywhere.');
  return quoted(isOwn ? text : `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
}

const whole = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z$/;

/** A time: PocketBase compares times as texts, so that a shorter one is before all that begin with it. Throws an `Untranslatable`. */
export function moment(text: string): { readonly text: string; readonly isWhole: boolean } {
  const time = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?Z?$/.test(text)
    ? momentOf(text.endsWith('Z') || !text.includes(' ') ? text : `${text}Z`)
    : undefined;
  if (time === undefined) throw new Untranslatable(`${JSON.stringify(text)} is no time.`);
  return { text: quoted(time), isWhole: whole.test(text) };
}
