import { replacedAddresses, replacedGalleries } from './upload-addresses.ts';

/** A file that has been brought in. */
export interface ImportedFile {
  /** Of its record. */
  readonly id: string;
  readonly url: string;
  readonly alt: string;
}

/** What stands below `uploads/` in the address of a file: `2013/03/storm.jpg`. */
export const uploadPath = (path: string): string | undefined => /(?:^|\/)uploads\/(.+)$/s.exec(path)?.[1];

const sizeInName = /-\d{1,5}x\d{1,5}(?=\.\w+$)/;

/** Where the files of a site are now. */
export class UploadedFiles {
  readonly #host: string;
  readonly #byId = new Map<string, ImportedFile>();
  readonly #byPath = new Map<string, ImportedFile>();

  /** `host` of the site, whose addresses are replaced; others are of other sites. */
  constructor(host: string) {
    this.#host = host;
  }

  add(attachment: string, url: string, file: ImportedFile): void {
    this.#byId.set(attachment, file);
    const path = uploadPath(url);
    if (path !== undefined) this.#byPath.set(path, file);
  }

  find(attachment: string): ImportedFile | undefined {
    return this.#byId.get(attachment);
  }

  /** A text with the addresses of files that are here now, and galleries as images. */
  rewritten(text: string): string {
    const images = replacedGalleries(text, (attributes) => this.#gallery(attributes));
    return replacedAddresses(images, ({ host, path }) => {
      if (host !== undefined && host.toLowerCase() !== this.#host) return undefined;
      const file = this.#byPath.get(path) ?? this.#byPath.get(path.replace(sizeInName, ''));
      return file?.url;
    });
  }

  /** Undefined where none of its files is here. */
  #gallery(attributes: string): string | undefined {
    const ids = /\bids\s*=\s*["']?([\d,\s]+)/i.exec(attributes)?.[1]?.split(',') ?? [];
    const files = ids.flatMap((id) => this.#byId.get(id.trim()) ?? []);
    if (files.length === 0) return undefined;
    const images = files.map(({ url, alt }) => `<img src="${escaped(url)}" alt="${escaped(alt)}">`);
    return `<figure>${images.join('')}</figure>`;
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
