import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { uploadRaw } from '../http/media/media-calls.ts';
import type { TestService } from '../support/service.ts';

/** A picture that looks like one: soft colours with a horizon. */
export async function picture(width: number, height: number, hue: number): Promise<Uint8Array<ArrayBuffer>> {
  // Not drawn from SVG, which the service keeps the library from reading in its process.
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const horizon = height * (0.6 + 0.1 * Math.sin((x / width) * 9));
      const isSun = Math.hypot(x - width * 0.7, y - height * 0.3) < height * 0.12;
      const [angle, light] =
        y > horizon ? [hue + 20, 70] : isSun ? [hue + 180, 225] : [hue + (50 * y) / height, 200 - (80 * y) / height];
      for (const [channel, turn] of [0, 240, 120].entries()) {
        pixels[(y * width + x) * 3 + channel] = light + 30 * Math.cos(((angle + turn) * Math.PI) / 180);
      }
    }
  }
  return new Uint8Array(
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 82 })
      .toBuffer(),
  );
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

/** A transfer of data with one text file, as a drop or a paste has it. */
export const transferOf = (name: string): string =>
  `(() => { const data = new DataTransfer(); data.items.add(new File(['text of ${name}'], '${name}')); return data; })()`;

/** Waits until a script gives true. `waitForFunction` would need `eval`, which the policy of the pages forbids. */
export async function until(page: Page, script: string): Promise<void> {
  while ((await page.evaluate<unknown>(script)) !== true) await page.waitForTimeout(50);
}
