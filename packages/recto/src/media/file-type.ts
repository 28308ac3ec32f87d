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
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?>\s*)*<(?:\w+:)?svg[\s>/]/i.test(
    text,
  );
}

/** Whether the settings allow a type; an empty list allows all. */
export const isAllowed = (type: string, allowed: readonly string[]): boolean =>
  allowed.length === 0 ||
  allowed.some((one) => one === type || one === '*/*' || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))));
