/** A value that PHP's `serialize` wrote, as far as exports need it. */
export type PhpValue = string | number | boolean | null | PhpArray;

/** An array of PHP; its keys are texts here, also where they were numbers. */
export type PhpArray = ReadonlyMap<string, PhpValue>;

/** What is read at most: a group of translations of 40 languages has about 1 kB. */
export const phpLimits = { bytes: 65_536, entries: 1_000, depth: 4 } as const;

/**
 * An array that PHP's `serialize` wrote (`a:2:{s:2:"en";i:5;s:2:"de";i:9;}`), of texts, numbers, flags and arrays. Undefined for everything
 * else: other values, objects and references (which nobody may make from a file), what is damaged, too long or too deep.
 */
export function readPhpArray(text: string): PhpArray | undefined {
  if (!text.startsWith('a:') || text.length > phpLimits.bytes) return undefined;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > phpLimits.bytes) return undefined;
  const reader = new PhpReader(bytes);
  const value = reader.value(0);
  return value instanceof Map && reader.isAtEnd ? value : undefined;
}

/** Reads one value after another; undefined: what comes next is none. Lengths of texts are in bytes. */
class PhpReader {
  readonly #bytes: Buffer;
  #place = 0;
  #entries = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#place === this.#bytes.length;
  }

  value(depth: number): PhpValue | undefined {
    const kind = this.#take(2);
    switch (kind) {
      case 'N;':
        return null;
      case 'b:':
        return this.#flag();
      case 'i:':
        return this.#number(/^-?\d{1,15}$/);
      case 'd:':
        return this.#number(/^-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/);
      case 's:':
        return this.#text();
      case 'a:':
        return depth < phpLimits.depth ? this.#array(depth) : undefined;
      default:
        return undefined;
    }
  }

  #flag(): boolean | undefined {
    const flag = this.#upTo(';', 1);
    return flag === '1' ? true : flag === '0' ? false : undefined;
  }

  #number(shape: RegExp): number | undefined {
    const digits = this.#upTo(';', 40);
    return digits !== undefined && shape.test(digits) ? Number(digits) : undefined;
  }

  #text(): string | undefined {
    const length = this.#length();
    if (length === undefined || this.#take(1) !== '"') return undefined;
    const end = this.#place + length;
    if (end > this.#bytes.length) return undefined;
    const text = this.#bytes.toString('utf8', this.#place, end);
    this.#place = end;
    return this.#take(2) === '";' ? text : undefined;
  }

  #array(depth: number): PhpArray | undefined {
    const length = this.#length();
    if (length === undefined || this.#take(1) !== '{') return undefined;
    const entries = new Map<string, PhpValue>();
    for (let index = 0; index < length; index += 1) {
      this.#entries += 1;
      if (this.#entries > phpLimits.entries) return undefined;
      const key = this.value(depth + 1);
      if (typeof key !== 'string' && typeof key !== 'number') return undefined;
      const value = this.value(depth + 1);
      if (value === undefined) return undefined;
      entries.set(String(key), value);
    }
    return this.#take(1) === '}' ? entries : undefined;
  }

  /** The length in front of a text or an array. */
  #length(): number | undefined {
    const digits = this.#upTo(':', 6);
    return digits !== undefined && /^\d+$/.test(digits) ? Number(digits) : undefined;
  }

  /** What stands before the next mark, which is taken as well; undefined where it is not within so many bytes. */
  #upTo(mark: string, most: number): string | undefined {
    const end = this.#bytes.indexOf(mark, this.#place);
    if (end === -1 || end > this.#place + most) return undefined;
    const text = this.#bytes.toString('latin1', this.#place, end);
    this.#place = end + 1;
    return text;
  }

  #take(length: number): string {
    const text = this.#bytes.toString('latin1', this.#place, this.#place + length);
    this.#place += length;
    return text;
  }
}
