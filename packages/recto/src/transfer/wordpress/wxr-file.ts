import { Breaks } from '../breaks.ts';
import type { Progress } from '../progress.ts';
import type { TransferFile } from '../transfer-file.ts';
import { TransferRefused } from '../transfer-refused.ts';
import type { WxrSink } from './wxr-entry.ts';
import { WxrParser } from './wxr-parser.ts';

/** Characters that XML does not allow (XML 1.0, section 2.2), but that WordPress copies into its exports. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches them on purpose.
const illegal = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

export interface WxrReading {
  /** How many characters were dropped because XML does not allow them. */
  readonly dropped: number;
}

/**
 * Streams a WordPress export. Throws a `TransferRefused` when the file cannot be read, is damaged, or is not an export.
 */
export async function readWxrFile(file: TransferFile, sink: WxrSink, progress: Progress): Promise<WxrReading> {
  const { name, size } = file;
  if (size === 0) throw new TransferRefused(`${name} is empty.`);
  const breaks = new Breaks();
  const parser = new WxrParser(name, sink);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes: Uint8Array | undefined): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch (error) {
      throw new TransferRefused(
        `${name} is damaged after line ${parser.line}: it holds bytes that are no UTF-8. Nothing was imported.`,
        error,
      );
    }
  };
  let dropped = 0;
  const feed = (text: string): void => {
    const clean = text.replace(illegal, '');
    dropped += text.length - clean.length;
    if (clean !== '') parser.write(clean);
  };
  let read = 0;
  for await (const bytes of file.bytes()) {
    if (read === 0) refuseOtherFormats(bytes, name);
    read += bytes.byteLength;
    feed(decode(bytes));
    progress('Reading', read, size);
    await breaks.next();
  }
  feed(decode(undefined));
  parser.close();
  return { dropped };
}

const signatures: readonly (readonly [first: readonly number[], what: string])[] = [
  [[0x1f, 0x8b], 'is compressed (gzip): unpack it first'],
  [[0x50, 0x4b, 3, 4], 'is a ZIP archive: unpack it first'],
  [[0xff, 0xfe], 'is written in UTF-16: convert it to UTF-8 first'],
  [[0xfe, 0xff], 'is written in UTF-16: convert it to UTF-8 first'],
];

function refuseOtherFormats(bytes: Uint8Array, name: string): void {
  const found = signatures.find(([first]) => first.every((byte, place) => bytes[place] === byte));
  if (found !== undefined) throw new TransferRefused(`${name} ${found[1]}.`);
}
