import { LRUCache } from 'lru-cache';
import { Problem } from '../base/problem.ts';
import { program } from '../base/program.ts';
import type { MediaPreset } from '../config/media-presets.ts';
import { readStored, type Storage } from '../storage/storage.ts';
import { imageBytes, withImages } from './image-work.ts';
import { presetVersion } from './media-address.ts';
import type { FocalPoint } from './render-variant.ts';
import { runtimeVariant } from './runtime-image.ts';
import { variantsOf } from './storage-keys.ts';
import { endingOf, type ImageFormat } from './variant-format.ts';
import type { VariantLeases } from './variant-leases.ts';

export interface VariantSource {
  /** Of the original in the storage. */
  readonly key: string;
  readonly size: number;
  readonly focal: FocalPoint;
}

export interface StoredVariant {
  readonly key: string;
  readonly size: number;
  /** Of small ones, the bytes: most variants of a page are. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** The largest variant that is kept in memory, and how much all of them may have. */
const mostKeptBytes = 128 * 1024;
const memoryBytes = 32 * 1024 * 1024;

const noVariant = (): Problem => new Problem(404, 'no_variant', 'No variants can be made of this file.');

/** Makes variants of images when they are first asked for, each once however many ask and in however many processes, and keeps them in the storage. */
export class Variants {
  readonly #storage: Storage;
  readonly #leases: VariantLeases;
  readonly #known = new LRUCache<string, StoredVariant>({
    max: 20_000,
    maxSize: memoryBytes,
    // An entry costs about so much besides its bytes.
    sizeCalculation: ({ bytes }) => 500 + (bytes?.length ?? 0),
  });
  readonly #making = new Map<string, Promise<StoredVariant>>();

  constructor(storage: Storage, leases: VariantLeases) {
    this.#storage = storage;
    this.#leases = leases;
  }

  /** 404 for what is no image that can be decoded; 503 where too many wait. */
  get(source: VariantSource, preset: MediaPreset, format: ImageFormat): StoredVariant | Promise<StoredVariant> {
    const key = variantKey(source, preset, format);
    return this.#known.get(key) ?? this.#found(key, source, preset, format);
  }

  /** To be called where the storage did not have a variant that it should have. */
  forget({ key }: StoredVariant): void {
    this.#known.delete(key);
  }

  #found(key: string, source: VariantSource, preset: MediaPreset, format: ImageFormat): Promise<StoredVariant> {
    const running = this.#making.get(key);
    if (running !== undefined) return running;
    const made = this.#stored(key, source, preset, format).finally(() => this.#making.delete(key));
    this.#making.set(key, made);
    return made;
  }

  async #stored(key: string, source: VariantSource, preset: MediaPreset, format: ImageFormat): Promise<StoredVariant> {
    const size = (await this.#storage.stat(key))?.size ?? (await this.#makeOnce(key, source, preset, format));
    const variant = size > mostKeptBytes ? { key, size } : { key, size, bytes: await this.#read(key) };
    this.#known.set(key, variant);
    return variant;
  }

  async #read(key: string): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readStored(this.#storage, key)) chunks.push(chunk);
    return new Uint8Array(Buffer.concat(chunks));
  }

  /** The size of a variant that this process makes, or that another one has made meanwhile. */
  async #makeOnce(key: string, source: VariantSource, preset: MediaPreset, format: ImageFormat): Promise<number> {
    for (let isWaiting = true; ; ) {
      const made = await this.#make(key, source, preset, format, isWaiting);
      if (made !== undefined) return made;
      isWaiting = await this.#leases.released(key);
    }
  }

  /** Undefined where another process makes it at the moment. Small enough to be in memory while it is stored. */
  async #make(
    key: string,
    source: VariantSource,
    preset: MediaPreset,
    format: ImageFormat,
    isWaiting: boolean,
  ): Promise<number | undefined> {
    const render = async (): Promise<Buffer> => {
      const original = await imageBytes(this.#storage, source.key, source.size);
      if (original === undefined) throw noVariant();
      return madeOf(original, preset, format, source.focal).catch((cause: unknown) => {
        throw new Problem(404, 'no_variant', 'No variants can be made of this file.', { cause });
      });
    };
    return withImages(async () => {
      const isOwn = await this.#leases.take(key);
      if (!isOwn && isWaiting) return undefined;
      try {
        // It may have been made while this one waited for its turn.
        return (await this.#storage.stat(key))?.size ?? (await this.#storage.put(key, once(await render())));
      } finally {
        // What is left after a failure ends by itself.
        if (isOwn) await this.#leases.release(key).catch(() => undefined);
      }
    });
  }
}

/** Loads the library of images with the first one: most of a start would go into it. */
async function madeOf(original: Buffer, preset: MediaPreset, format: ImageFormat, focal: FocalPoint): Promise<Buffer> {
  if (program === 'executable') return runtimeVariant(original, preset, format);
  const [{ decoded }, { renderVariant }] = await Promise.all([
    import('./sharp-image.ts'),
    import('./render-variant.ts'),
  ]);
  return renderVariant(decoded(original), preset, format, focal);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}

/** Says all that the variant depends on. */
function variantKey({ key, focal }: VariantSource, preset: MediaPreset, format: ImageFormat): string {
  const point = preset.fit === 'cover' ? `${focal.x ?? ''}_${focal.y ?? ''}`.replace(/[^0-9_.e-]/g, '') : '';
  const cut =
    point === '_' || point === '' ? '' : `-${new Bun.CryptoHasher('sha256').update(point).digest('hex').slice(0, 10)}`;
  return `${variantsOf(key)}${presetVersion(preset)}${cut}.${endingOf(format)}`;
}
