/** Where a file of a site is, as a text names it. */
export interface UploadAddress {
  /** With its port; undefined for an address on the same site. */
  readonly host: string | undefined;
  /** What stands below `uploads/`. */
  readonly path: string;
}

/**
 * The text with other addresses of files; those without a replacement stay. Addresses are looked for around each `uploads/`: a
 * search that begins at each slash would take the square of the time.
 */
export function replacedAddresses(text: string, replacement: (found: UploadAddress) => string | undefined): string {
  const folder = /uploads\//gi;
  const pieces: string[] = [];
  let done = 0;
  while (folder.test(text)) {
    const found = addressAround(text, folder.lastIndex - 'uploads/'.length, done);
    if (found === undefined) continue;
    const { begin, written, host, path } = found;
    pieces.push(text.slice(done, begin), replacement({ host, path }) ?? written);
    done = begin + written.length;
    folder.lastIndex = done;
  }
  return pieces.join('') + text.slice(done);
}

interface WrittenAddress extends UploadAddress {
  readonly begin: number;
  readonly written: string;
}

/** The first address that goes over the `uploads/` at a place and begins behind `after`. */
function addressAround(text: string, place: number, after: number): WrittenAddress | undefined {
  const path = startOfRun(text, place, after, /[\w./-]/);
  const slash = text.indexOf('/', path);
  for (const begin of [...hostBegins(text, path, after), ...(slash < place ? [slash] : [])]) {
    const address =
      /(?:(?:https?:)?\/\/([\w.-]+(?::\d+)?))?\/[\w./-]*?uploads\/([^\s"'<>()?#\]]+)(?:\?[^\s"'<>()\]]*)?/iy;
    address.lastIndex = begin;
    const found = address.exec(text);
    if (found !== null) return { begin, written: found[0], host: found[1], path: found[2] ?? '' };
  }
  return undefined;
}

/** Where an address with a host can begin, if its scheme or its port ends at a place. */
function hostBegins(text: string, place: number, after: number): readonly number[] {
  if (place === after || text[place - 1] !== ':') return [];
  const ofScheme = schemeBegin(text, place, after);
  const host = startOfRun(text, place - 1, after, /[\w.-]/);
  const hasSlashes = host - 2 >= after && text.startsWith('//', host - 2);
  const ofPort = hasSlashes ? [schemeBegin(text, host - 2, after) ?? host - 2] : [];
  // A host may be called like a scheme, and begins before it then.
  return ofScheme === undefined ? ofPort : [...ofPort, ofScheme];
}

/** Where `http:` or `https:` begins that ends at a place. */
function schemeBegin(text: string, place: number, after: number): number | undefined {
  const scheme = /https?:$/i.exec(text.slice(Math.max(after, place - 'https:'.length), place));
  return scheme === null ? undefined : place - scheme[0].length;
}

function startOfRun(text: string, end: number, after: number, letters: RegExp): number {
  let start = end;
  while (start > after && letters.test(text[start - 1] ?? '')) start -= 1;
  return start;
}

/** The text with something else for its galleries, which gets what is written in each; those without a replacement stay. */
export function replacedGalleries(text: string, replacement: (attributes: string) => string | undefined): string {
  const gallery = /\[gallery\b/gi;
  const pieces: string[] = [];
  let done = 0;
  while (gallery.test(text)) {
    const attributes = gallery.lastIndex;
    const end = text.indexOf(']', attributes);
    // None of those that follow ends either.
    if (end === -1) break;
    const begin = attributes - '[gallery'.length;
    pieces.push(text.slice(done, begin), replacement(text.slice(attributes, end)) ?? text.slice(begin, end + 1));
    done = end + 1;
    gallery.lastIndex = done;
  }
  return pieces.join('') + text.slice(done);
}
