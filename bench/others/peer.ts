/** What a benchmark needs to know of a system: how it is started, given the type of the articles, and asked. */
export interface Peer {
  readonly name: string;
  /** Why it cannot be measured here; undefined where it can. */
  readonly absent: string | undefined;
  /** Writes what has to be there before the first start, into a folder of its own. */
  prepare(folder: string): Promise<void>;
  launch(folder: string, port: number): Launch;
  /** Makes the type of the articles in the running system, where files do not. */
  setUp(url: string, folder: string): Promise<void>;
  /** Answers 200 as soon as the system serves. */
  readonly readyPath: string;
  /** Takes a new article as JSON. */
  readonly createPath: string;
  /** The first 20 articles that are published, with their number. */
  readonly listPath: string;
  readPath(id: string): string;
  /** The id in the response to a create. */
  idOf(answer: unknown): string;
}

export interface Launch {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/** A program on the PATH, or where an environment variable says. */
export function findProgram(name: string, variable: string): { readonly path?: string; readonly absent?: string } {
  const path = process.env[variable] ?? Bun.which(name);
  return path === null ? { absent: `${name} is not on the PATH, and ${variable} does not name it.` } : { path };
}

/** The article that all systems store: the same fields, the same values. */
export const articleNumber = (number: number): Readonly<Record<string, string | number | boolean>> => ({
  title: `Article ${number} on paper, ink and margins`,
  summary: 'A margin is not what is left over. It is the first thing a reader holds. '.repeat(3).trim(),
  status: number % 10 === 0 ? 'draft' : 'published',
  reads: (number * 7919) % 100_000,
  featured: number % 4 === 0,
});
