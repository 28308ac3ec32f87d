import { withoutInvisible } from '../base/invisible-characters.ts';

const longest = 200;

/**
 * A file's name as it is kept: without folders, control characters and characters that are not seen or change the direction of
 * the text. Never empty, never one that begins with a dot.
 */
export function cleanFileName(sent: string): string {
  const last = sent.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const visible = withoutInvisible(last.replace(/[\p{Cc}\p{Cs}\p{Co}\u2028\u2029]/gu, ''))
    // Not allowed in names on some systems.
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  return shortened(visible === '' ? 'file' : visible);
}

/** Keeps the ending, by which people know the kind of file. */
function shortened(name: string): string {
  const letters = [...name];
  if (letters.length <= longest) return name;
  const ending = /\.[a-z0-9]{1,10}$/i.exec(name)?.[0] ?? '';
  return `${letters
    .slice(0, longest - ending.length)
    .join('')
    .trimEnd()}${ending}`;
}

/** The name with the ending of another format. */
export const withEnding = (name: string, ending: string): string =>
  `${name.replace(/\.[a-z0-9]{1,10}$/i, '')}.${ending}`;
