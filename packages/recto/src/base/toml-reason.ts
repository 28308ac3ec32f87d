import type { TomlError } from 'smol-toml';

/** What is wrong with a TOML text. The parser's message goes on with an excerpt of it, which may contain a secret: it is left out. */
export function tomlReason({ message, line, column }: TomlError, text: string): string {
  const reason = message.split('\n')[0]?.replace('Invalid TOML document: ', '') ?? '';
  const atEnd = column > (text.split('\n')[line - 1] ?? '').trimEnd().length;
  if (reason === 'control characters are not allowed in strings' && atEnd)
    return 'the quotes are not closed on this line';
  if (reason === 'invalid value') return 'invalid value; a text needs quotes';
  return reason;
}
