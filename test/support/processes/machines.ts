import { environmentOf, type TestLocation } from '../database/database.ts';
import { RectoFolder, type RectoProcess } from './recto-process.ts';

export const admin = { email: 'ada@example.com', password: 'correct horse' };

export interface MachineOptions {
  /** What each of them starts with, by file name. */
  readonly types: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** What starts `recto` on each machine, where that differs. */
  readonly commands?: readonly (readonly string[])[];
}

/** One start of `recto`, with a data folder of its own. */
export interface Machine {
  readonly url: string;
  readonly process: RectoProcess;
}

/** Several starts on one database, as on machines of their own that share nothing else but the secret. */
export class Machines implements AsyncDisposable {
  readonly all: readonly Machine[];
  readonly #folders: readonly RectoFolder[];

  /** Starts them at the same moment. */
  static async start(count: number, place: Pick<TestLocation, 'location'>, options: MachineOptions): Promise<Machines> {
    const environment = {
      RECTO_SECRET: 'a secret that all machines share',
      RECTO_RATE_LIMIT: 'off',
      RECTO_LOG_LEVEL: 'debug',
      RECTO_ADMIN_EMAIL: admin.email,
      RECTO_ADMIN_PASSWORD: admin.password,
      ...environmentOf(place),
      ...options.environment,
    };
    const folders = Array.from({ length: count }, () => new RectoFolder(options.types));
    const started = folders.map((folder, index) => folder.spawn(['start'], environment, options.commands?.[index]));
    try {
      const all = started.map(async (process) => {
        const url = await process.url();
        await process.err(/"msg":"started"/);
        return { url, process };
      });
      return new Machines(await Promise.all(all), folders);
    } catch (error) {
      for (const process of started) process.kill('SIGKILL');
      throw error;
    }
  }

  private constructor(all: readonly Machine[], folders: readonly RectoFolder[]) {
    this.all = all;
    this.#folders = folders;
  }

  /** Announces errors that the test makes them log; others fail the test. */
  expectErrors(...patterns: readonly RegExp[]): void {
    for (const folder of this.#folders) folder.expectErrors(...patterns);
  }

  /** One of them; they are counted round. */
  at(index: number): Machine {
    const found = this.all[index % this.all.length];
    if (found === undefined) throw new Error('There are no machines.');
    return found;
  }

  /** Ends them in order; resolves with the exit codes. */
  async stop(): Promise<readonly number[]> {
    for (const { process } of this.all) process.kill('SIGTERM');
    const ends = await Promise.all(this.all.map(({ process }) => process.ended()));
    return ends.map(({ exitCode }) => exitCode);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { process } of this.all) process.kill('SIGKILL');
    await Promise.all(this.all.map(({ process }) => process.ended()));
    for (const folder of this.#folders) folder[Symbol.dispose]();
  }
}

/** How long things took, in milliseconds. */
export class Latencies {
  readonly #ms: number[] = [];

  add(ms: number): void {
    this.#ms.push(ms);
  }

  get longest(): number {
    return this.#ms.reduce((longest, ms) => Math.max(longest, ms), 0);
  }

  /** `120 times: median 1.2 ms, 99 of 100 within 4.0 ms, longest 7.1 ms`. */
  toString(): string {
    const sorted = this.#ms.toSorted((a, b) => a - b);
    const share = (part: number): string => `${(sorted[Math.floor(part * sorted.length)] ?? 0).toFixed(1)} ms`;
    return `${sorted.length} times: median ${share(0.5)}, 99 of 100 within ${share(0.99)}, longest ${this.longest.toFixed(1)} ms`;
  }
}
