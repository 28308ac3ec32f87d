/** How many entries of one kind were transferred, skipped and so on. */
export interface TransferCount {
  /** Plural: `posts`. */
  readonly kind: string;
  readonly taken: number;
  /** Already present, from an earlier import or otherwise. */
  readonly before: number;
  readonly skipped: number;
  /** With errors, and left out. */
  readonly failed: number;
}

/** An entry that was left out, and why. */
export interface TransferFailure {
  readonly kind: string;
  /** The file and the line: `posts.ndjson:12`. */
  readonly place: string;
  readonly errors: readonly string[];
}

/** Why entries were skipped or changed. */
export interface TransferRemark {
  readonly kind: string;
  readonly text: string;
  readonly count: number;
  /** The first few, named so that a person can find them. */
  readonly examples: readonly string[];
}

/** A record of media whose file is not known. */
export interface MissingFile {
  readonly id: string;
  readonly name: string;
  /** By which the file is found; null: it never is. */
  readonly hash: string | null;
}

/** The first files that are missing, and how many there are. */
export interface MissingFiles {
  readonly total: number;
  readonly files: readonly MissingFile[];
}

export interface TransferReport {
  /** Whether nothing was stored. */
  readonly dry_run: boolean;
  readonly counts: readonly TransferCount[];
  readonly skipped: readonly TransferRemark[];
  readonly changed: readonly TransferRemark[];
  /** The first of them; `counts` has how many there are. */
  readonly failures: readonly TransferFailure[];
  /** Of records of media that are stored; absent: there are none. */
  readonly missing_files?: MissingFiles;
  /** The languages of the file that the service does not have, as the file names them; absent: there are none. */
  readonly other_languages?: readonly string[];
}

const keptExamples = 3;
/** Failures that are listed; the others are counted. */
export const listedFailures = 200;

interface Remark {
  readonly kind: string;
  readonly text: string;
  count: number;
  readonly examples: string[];
}

type Counts = { -readonly [Name in keyof Omit<TransferCount, 'kind'>]: number };

const none: Counts = { taken: 0, before: 0, skipped: 0, failed: 0 };

/** Counts while a transfer goes on. */
export class TransferTally {
  readonly #counts = new Map<string, Counts>();
  readonly #skipped = new Map<string, Remark>();
  readonly #changed = new Map<string, Remark>();

  readonly #failures: TransferFailure[] = [];

  /** `kinds` are listed in this order, even with no entries; others follow in order of appearance. */
  constructor(kinds: readonly string[] = []) {
    for (const kind of kinds) this.expect(kind);
  }

  /** Lists a kind, even with no entries. */
  expect(kind: string): void {
    this.#of(kind);
  }

  /** Resets all counts. */
  clear(): void {
    for (const count of this.#counts.values()) Object.assign(count, none);
    this.#skipped.clear();
    this.#changed.clear();
    this.#failures.length = 0;
  }

  taken(kind: string): void {
    this.#of(kind).taken += 1;
  }

  before(kind: string): void {
    this.#of(kind).before += 1;
  }

  skipped(kind: string, reason: string, example: string): void {
    this.#of(kind).skipped += 1;
    remark(this.#skipped, kind, reason, example, 1);
  }

  /** `place` is the file and the line. */
  failed(kind: string, place: string, errors: readonly string[]): void {
    this.#of(kind).failed += 1;
    if (this.#failures.length < listedFailures) this.#failures.push({ kind, place, errors });
  }

  get counts(): readonly TransferCount[] {
    return [...this.#counts].map(([kind, counts]) => ({ kind, ...counts }));
  }

  changed(kind: string, text: string, example: string, count = 1): void {
    remark(this.#changed, kind, text, example, count);
  }

  report(dryRun: boolean): TransferReport {
    return {
      dry_run: dryRun,
      counts: this.counts,
      skipped: mostFirst(this.#skipped),
      changed: mostFirst(this.#changed),
      failures: [...this.#failures],
    };
  }

  #of(kind: string) {
    const known = this.#counts.get(kind) ?? { ...none };
    this.#counts.set(kind, known);
    return known;
  }
}

function remark(remarks: Map<string, Remark>, kind: string, text: string, example: string, count: number): void {
  const key = `${kind} ${text}`;
  const known = remarks.get(key) ?? { kind, text, count: 0, examples: [] };
  known.count += count;
  if (example !== '' && known.examples.length < keptExamples) known.examples.push(example);
  remarks.set(key, known);
}

const mostFirst = (remarks: ReadonlyMap<string, Remark>): readonly TransferRemark[] =>
  [...remarks.values()].toSorted((a, b) => b.count - a.count);
