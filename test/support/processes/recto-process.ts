import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hangsAfterMs } from '../hangs-after.ts';
import { ServiceLog } from '../service-log.ts';

const root = join(import.meta.dir, '../../..');
/** The service from its source. */
export const fromSource: readonly string[] = [process.execPath, join(root, 'packages/recto/src/cli/main.ts')];
/** The service as a run of the tests has built it, which starts in a third of the time; from its source where none has. */
export const builtOrSource: readonly string[] =
  process.env.RECTO_TEST_PROGRAM === undefined ? fromSource : [process.execPath, process.env.RECTO_TEST_PROGRAM];
/** The launcher that is installed as `recto`; it needs Node. */
export const fromLauncher: readonly string[] = ['node', join(root, 'packages/recto/bin/recto')];

/** For processes of this runtime, workers included: hashes passwords cheaply. */
const quickly = { BUN_OPTIONS: `--preload=${join(import.meta.dir, 'cheap-passwords.ts')}` };

/** The settings of a service that a slow machine does not fail: a test whose subject is such a limit sets it. */
export const patiently = {
  RECTO_WRITE_TIMEOUT_SECS: String(hangsAfterMs / 1_000),
  RECTO_STOP_TIMEOUT_SECS: String(hangsAfterMs / 1_000),
  RECTO_REQUEST_TIMEOUT_SECS: String(hangsAfterMs / 1_000),
};

/** Ends a process that a failed test would otherwise leave behind. No test is to meet it, on a busy machine either. */
const longestLifeMs = 7_200_000;

export interface Ended {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** A working folder of its own, with `content-types/` filled from file names to texts. */
export class RectoFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'recto-'));
  readonly #processes: RectoProcess[] = [];
  readonly #expected: RegExp[] = [];

  constructor(types: Readonly<Record<string, string>> = {}) {
    this.write('content-types/.keep', '');
    for (const [name, text] of Object.entries(types)) this.write(`content-types/${name}`, text);
  }

  write(name: string, text: string): void {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Announces errors that the test makes services here log; others fail the test. */
  expectErrors(...patterns: readonly RegExp[]): void {
    this.#expected.push(...patterns);
    for (const process of this.#processes) process.expectErrors(...patterns);
  }

  /** Starts `recto` here, with one process unless the environment says otherwise. */
  spawn(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    command: readonly string[] = builtOrSource,
  ): RectoProcess {
    const started = new RectoProcess([...command, ...args], this.path, environment);
    started.expectErrors(...this.#expected);
    this.#processes.push(started);
    return started;
  }

  /** Runs `recto` here to its end. */
  run(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return this.spawn(args, environment).ended();
  }

  /** Ends what still runs here: the time limit of a process ends with the tests. */
  [Symbol.dispose](): void {
    for (const process of this.#processes) process.kill('SIGKILL');
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A running `recto`. */
export class RectoProcess {
  readonly #child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  readonly #out: Collected;
  readonly #err: Collected;
  readonly #log: ServiceLog;

  constructor(command: readonly string[], cwd: string, environment: Readonly<Record<string, string>>) {
    this.#child = Bun.spawn([...command], {
      cwd,
      env: {
        PATH: process.env.PATH ?? '',
        RECTO_PORT: '0',
        RECTO_WORKERS: '1',
        ...patiently,
        ...(command[0] === process.execPath ? quickly : {}),
        ...environment,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: longestLifeMs,
      killSignal: 'SIGKILL',
    });
    this.#out = new Collected(this.#child.stdout);
    this.#log = new ServiceLog(`recto ${command.slice(-1)}`);
    this.#err = new Collected(this.#child.stderr, (line) => this.#log.write(line));
  }

  /** Announces errors that the test makes the service log; others fail the test. */
  expectErrors(...patterns: readonly RegExp[]): void {
    this.#log.expect(...patterns);
  }

  get pid(): number {
    return this.#child.pid;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Resolves with what matches in the whole lines of stdout so far; rejects when the process ends without. */
  out(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#out.until(pattern);
  }

  /** The same of stderr, where the log is. */
  err(pattern: RegExp): Promise<RegExpExecArray> {
    return this.#err.until(pattern);
  }

  /** The address that it serves at. */
  async url(): Promise<string> {
    const [found] = await this.out(/http:\/\/[\w.:[\]]+\d/).catch(async (error) => {
      throw new Error(`${error}\n${(await this.ended()).err}`);
    });
    return found;
  }

  async ended(): Promise<Ended> {
    const [exitCode, out, err] = await Promise.all([this.#child.exited, this.#out.all, this.#err.all]);
    return { exitCode, out, err };
  }
}

/** Resolves when nobody listens there any more. */
export async function refused(url: string): Promise<void> {
  for (;;) {
    try {
      await (await fetch(`${url}/api/v1/healthz`, { keepalive: false })).arrayBuffer();
    } catch {
      return;
    }
    await Bun.sleep(10);
  }
}

/** The text of a stream, while it comes. */
class Collected {
  readonly all: Promise<string>;
  #text = '';
  /** Where the lines end that have been reported. */
  #reported = 0;
  readonly #onLine: (line: string) => void;
  #wake = Promise.withResolvers<void>();
  #ended = false;

  /** `onLine` gets each complete line. */
  constructor(stream: ReadableStream<Uint8Array>, onLine: (line: string) => void = () => {}) {
    this.#onLine = onLine;
    this.all = this.#collect(stream);
  }

  async until(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      // The last line may have come in part: a number in it would be another one.
      const found = pattern.exec(this.#ended ? this.#text : this.#text.slice(0, this.#text.lastIndexOf('\n') + 1));
      if (found !== null) return found;
      if (this.#ended) throw new Error(`${pattern} did not come; there was: ${this.#text}`);
      await this.#wake.promise;
    }
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<string> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.#text += decoder.decode(chunk, { stream: true });
      this.#report();
      this.#wakeUp();
    }
    this.#ended = true;
    this.#wakeUp();
    return this.#text;
  }

  #report(): void {
    for (let end = this.#text.indexOf('\n', this.#reported); end !== -1; ) {
      this.#onLine(this.#text.slice(this.#reported, end));
      this.#reported = end + 1;
      end = this.#text.indexOf('\n', this.#reported);
    }
  }

  #wakeUp(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
