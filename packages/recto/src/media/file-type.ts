/** What the type is found from: the first bytes. Archives of documents name their kind within these. */
export const sampleBytes = 64 * 1024;

export const unknownType = 'application/octet-stream';

/** The media type of a file, from its bytes alone; `application/octet-stream` where they say nothing. */
export async function mediaTypeOf(sample: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(sample).catch(() => undefined);
  if (found !== undefined && found.mime !== 'application/xml') return plainType(found.mime);
  return isSvg(sample) ? 'image/svg+xml' : unknownType;
}

/** Without parameters, as `video/mp4; codecs=…` would have. */
const plainType = (mime: string): string => mime.split(';')[0]?.trim().toLowerCase() ?? unknownType;

/** Whether the first element of a text is `svg`. */
function isSvg(sample: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(sample.subarray(0, 8192));
  return /^<(?:\w{1,100}:)?svg[\s>/]/i.test(withoutProlog(text));
}

/** What may stand before the first element of a document, each with what ends it. */
const prolog = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const;

/** The text from its first element on. It is gone through once: bytes that anyone sends must not take long. */
function withoutProlog(text: string): string {
  let at = 0;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at += 1;
    const [begin, end] = prolog.find(([begins]) => text.startsWith(begins, at)) ?? [];
    const after = begin === undefined ? endOfDoctype(text, at) : endOf(text, end ?? '', at + begin.length);
    if (after === undefined) return text.slice(at);
    at = after;
  }
}

/** The place after the next such text; that of the end where there is none. */
function endOf(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found === -1 ? text.length : found + end.length;
}

/** Undefined where no document type stands there. It may declare entities between brackets. */
function endOfDoctype(text: string, at: number): number | undefined {
  if (!/^<!doctype$/i.test(text.slice(at, at + 9))) return undefined;
  const [bracket, close] = [text.indexOf('[', at), text.indexOf('>', at)];
  const isDeclaring = bracket !== -1 && bracket < close;
  return endOf(text, '>', isDeclaring ? endOf(text, ']', bracket) : at);
}

/** Whether the settings allow a type; an empty list allows all. */
export const isAllowed = (type: string, allowed: readonly string[]): boolean =>
  allowed.length === 0 ||
  allowed.some((one) => one === type || one === '*/*' || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))));
