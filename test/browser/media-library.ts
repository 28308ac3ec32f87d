import sharp from 'sharp';
import { uploadRaw } from '../media/media-calls.ts';
import type { TestService } from '../service.ts';

/** A picture that looks like one: soft colours with a horizon. */
export async function picture(width: number, height: number, hue: number): Promise<Uint8Array<ArrayBuffer>> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g" x2="0" y2="1"><stop offset="0" stop-color="hsl(${hue},55%,72%)"/><stop offset="1" stop-color="hsl(${(hue + 50) % 360},45%,42%)"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/><circle cx="${width * 0.7}" cy="${height * 0.3}" r="${height * 0.12}" fill="hsl(${(hue + 180) % 360},80%,85%)"/>
    <path d="M0 ${height * 0.7} L${width * 0.3} ${height * 0.45} L${width * 0.55} ${height * 0.72} L${width * 0.8} ${height * 0.5} L${width} ${height * 0.75} V${height} H0Z" fill="hsl(${(hue + 20) % 360},35%,28%)"/></svg>`;
  return new Uint8Array(await sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer());
}

export interface PlacedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly set?: Readonly<Record<string, unknown>>;
}

/** Uploads files as an account, with further fields. Returns their ids by name. */
export async function placeFiles(
  service: TestService,
  as: string,
  files: readonly PlacedFile[],
): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {};
  for (const { name, bytes, set } of files) {
    const made = await uploadRaw(service, bytes, { as, name });
    if (made.status !== 201) throw new Error(`Uploading ${name} failed: ${made.text}`);
    ids[name] = made.json.id;
    if (set === undefined) continue;
    const changed = await service.send(`PUT /api/v1/admin/media/${made.json.id}`, { as, body: set });
    if (changed.status !== 200) throw new Error(`Changing ${name} failed: ${changed.text}`);
  }
  return ids;
}

export const textBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
