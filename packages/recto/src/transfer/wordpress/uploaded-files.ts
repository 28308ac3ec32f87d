/** A file that has been brought in. */
export interface ImportedFile {
  /** Of its record. */
  readonly id: string;
  readonly url: string;
  readonly alt: string;
}

/** What stands below `uploads/` in the address of a file: `2013/03/storm.jpg`. */
export const uploadPath = (path: string): string | undefined => /(?:^|\/)uploads\/(.+)$/.exec(path)?.[1];

/** Addresses of files of a site, with or without the site. Sizes of an image have their size in the name. */
const addresses =
  /(?:(?:https?:)?\/\/([\w.-]+(?::\d+)?))?\/[\w./-]*?uploads\/([^\s"'<>()?#\]]+)(?:\?[^\s"'<>()\]]*)?/gi;
const sizeInName = /-\d{1,5}x\d{1,5}(?=\.\w+$)/;
const gallery = /\[gallery\b([^\]]*)\]/gi;

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
    const images = text.replace(gallery, (written: string, attributes: string) => this.#gallery(attributes) ?? written);
    return images.replace(addresses, (written: string, host: string | undefined, path: string) => {
      if (host !== undefined && host.toLowerCase() !== this.#host) return written;
      const file = this.#byPath.get(path) ?? this.#byPath.get(path.replace(sizeInName, ''));
      return file?.url ?? written;
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
