/** The types whose files are made of the boxes of ISO/IEC 14496-12. */
export const hasBoxes = (mimeType: string): boolean =>
  /^(?:audio|video)\/(?:mp4|x-m4[abv]|quicktime|3gpp2?)$/.test(mimeType);

/** As many as a file has before its description, and a description before its head. */
const mostBoxes = 500;

/** The longest head of a box, and what it holds of a movie's head. */
const headBytes = 48;

/**
 * The seconds that a movie says it lasts (`mvhd` in `moov`); null where it does not. Only the heads of boxes are read. The library
 * that reads other types knows the duration of sound alone.
 */
export async function movieDuration(
  read: (start: number, end: number) => Promise<Uint8Array>,
  size: number,
): Promise<number | null> {
  let end = size;
  for (let at = 0, boxes = 0; at + 8 <= end && boxes < mostBoxes; boxes += 1) {
    const bytes = await read(at, Math.min(at + headBytes, size));
    const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const short = head.getUint32(0);
    const headLength = short === 1 ? 16 : 8;
    // Zero: to the end of the file.
    const length = short === 0 ? end - at : short === 1 ? Number(head.getBigUint64(8)) : short;
    if (length < headLength) return null;
    const name = new TextDecoder('latin1').decode(bytes.subarray(4, 8));
    if (name === 'mvhd') return stated(new DataView(head.buffer, head.byteOffset + headLength));
    if (name === 'moov') {
      end = Math.min(end, at + length);
      at += headLength;
    } else at += length;
  }
  return null;
}

/** Of the head of a movie, in one of its two versions. */
function stated(head: DataView): number | null {
  const isLong = head.getUint8(0) === 1;
  const scale = head.getUint32(isLong ? 20 : 12);
  const duration = isLong ? head.getBigUint64(24) : BigInt(head.getUint32(16));
  const unknown = isLong ? 2n ** 64n - 1n : 2n ** 32n - 1n;
  return scale === 0 || duration === unknown ? null : Number(duration) / scale;
}
