import { Cache } from '../base/cache.ts';
import { Problem } from '../base/problem.ts';
import { program } from '../base/program.ts';
import type { MediaPreset } from '../config/media-presets.ts';
import { type Storage, storedBytes } from '../storage/storage.ts';
import type { Framing } from './framing.ts';
import { type ImageSource, withImageBytes, withImages } from './image-work.ts';
import { runtimeVariant } from './runtime-image.ts';
import type { ImageFormat } from './variant-format.ts';
import { variantKey } from './variant-key.ts';
import type { VariantLeases } from './variant-leases.ts';

/** The original. */
export interface VariantSource extends ImageSource, Framing {}

export interface StoredVariant {
  readonly key: string;
  readonly size: number;
  /** Of small ones, the bytes: most variants of a page are. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** The largest variant that is kept in memory, and how much all of them may have. */
const mostKeptBytes = 128 * 1024;
const memoryBytes = 32 * 1024 * 1024;

const noVariant = (cause?: unknown): Problem =>
  new Problem(404, 'no_variant', 'No variants can be made of this file.', { cause });

/** Makes variants of images when they are first asked for, each once however many ask and in however many processes, and keeps them in the storage. */
export class Variants {
  readonly #storage: Storage;
  readonly #leases: VariantLeases;
  readonly #requireRoom: () => void;
  readonly #known = new Cache<StoredVariant>({
    entries: 20_000,
    // An entry costs about so much besides its bytes.
    size: { most: memoryBytes, of: ({ bytes }) => 500 + (bytes?.length ?? 0) },
  });
  readonly #making = new Map<string, Promise<StoredVariant>>();

  /** `requireRoom` is called before a variant is made, and throws where nothing more is to be stored. */
  constructor(storage: Storage, leases: VariantLeases, requireRoom: () => void = () => undefined) {
    this.#storage = storage;
    this.#leases = leases;
    this.#requireRoom = requireRoom;
  }

  /** 404 for what is no image that can be decoded; 503 where too many wait, or where one would have to be made and there is no room. */
  get(source: VariantSource, preset: MediaPreset, format: ImageFormat): StoredVariant | Promise<StoredVariant> {
    const key = variantKey(source.key, source, preset, format);
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
    const variant = (await this.#ready(key)) ?? (await this.#makeOnce(key, source, preset, format));
    this.#known.set(key, variant);
    return variant;
  }

  /** Undefined where it has not been made. */
  async #ready(key: string): Promise<StoredVariant | undefined> {
    const found = await this.#storage.stat(key);
    if (found === undefined) return undefined;
    const { size } = found;
    return size > mostKeptBytes ? { key, size } : { key, size, bytes: await storedBytes(this.#storage, key, size) };
  }

  /** The variant that this process makes, or that another one has made meanwhile. */
  async #makeOnce(
    key: string,
    source: VariantSource,
    preset: MediaPreset,
    format: ImageFormat,
  ): Promise<StoredVariant> {
    const render: Render = (original) => renderedImage(original, preset, format, source);
    for (let isWaiting = true; ; ) {
      const made = await withImages(() => this.#make(key, source, render, isWaiting));
      if (made !== undefined) return made;
      isWaiting = await this.#leases.released(key);
    }
  }

  /** Undefined where another process makes it at the moment. Small enough to be in memory while it is stored. */
  async #make(
    key: string,
    source: VariantSource,
    render: Render,
    isWaiting: boolean,
  ): Promise<StoredVariant | undefined> {
    this.#requireRoom();
    // Loaded meanwhile; what is wrong with it shows where it is used.
    void loadImages().catch(() => undefined);
    const isOwn = await this.#leases.take(key);
    if (!isOwn && isWaiting) return undefined;
    try {
      // It may have been made while this one waited for its turn.
      return (await this.#ready(key)) ?? (await this.#put(key, await this.#rendered(source, render)));
    } finally {
      // Nobody waits for that. What is left after a failure ends by itself.
      if (isOwn) void this.#leases.release(key).catch(() => undefined);
    }
  }

  async #rendered(source: VariantSource, render: Render): Promise<Uint8Array<ArrayBuffer>> {
    const made = await withImageBytes(this.#storage, source, (original) =>
      render(original).catch((cause: unknown) => Promise.reject(noVariant(cause))),
    );
    if (made === undefined) throw noVariant();
    return made;
  }

  async #put(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<StoredVariant> {
    const size = await this.#storage.put(key, once(bytes));
    return size > mostKeptBytes ? { key, size } : { key, size, bytes };
  }
}

type Render = (original: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>;

/** The image library, loaded with the first image: most of a start would go into it. */
export const loadImages = async () =>
  program === 'executable' ? undefined : Promise.all([import('./sharp-image.ts'), import('./render-variant.ts')]);

/** An image made of another, without the metadata of that. Rejects for what cannot be decoded. */
export async function renderedImage(
  original: Uint8Array<ArrayBuffer>,
  preset: MediaPreset,
  format: ImageFormat,
  framing: Framing,
): Promise<Uint8Array<ArrayBuffer>> {
  const loaded = await loadImages();
  if (loaded === undefined) return ownBytes(await runtimeVariant(original, preset, format));
  const [{ decoded }, { renderVariant }] = loaded;
  return ownBytes(await renderVariant(decoded(original), preset, format, framing));
}

/** Memory of its own, so that what is kept of a small variant is not more than that. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}
