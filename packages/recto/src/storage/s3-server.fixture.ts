import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../test/support/free-port.ts';
import type { S3Location } from '../config/setting-type.ts';

/** Where `.ci/run` builds it. */
const built = join(import.meta.dir, '../../../../node_modules/.cache/recto/versitygw');

/** The S3 server of the tests, which verifies signatures; null where it is not installed. */
export const s3ServerPath = Bun.env.RECTO_TEST_VERSITYGW ?? Bun.which('versitygw') ?? Bun.which(built);

export const s3Keys = { accessKeyId: 'recto-tests', secretAccessKey: 'a secret of the tests' } as const;

/** Ends a process that a failed test would otherwise leave behind. */
const longestLifeMs = 900_000;

/** A running S3 server with one empty bucket. */
export class S3Server implements AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  #child: Bun.Subprocess<'ignore', 'ignore', 'ignore'>;
  readonly #command: string;
  readonly #port: number;

  static async start(command: string): Promise<S3Server> {
    // It cannot be given port 0, so another test may choose the same one before it listens.
    for (let tries = 0; tries < 10; tries++) {
      const server = new S3Server(command, freePort());
      if (await server.#answers()) return server;
      await server[Symbol.asyncDispose]();
    }
    throw new Error('The S3 server did not start.');
  }

  private constructor(command: string, port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.folder = mkdtempSync(join(tmpdir(), 'recto-s3-'));
    mkdirSync(join(this.folder, 'recto-tests'));
    this.#command = command;
    this.#port = port;
    this.#child = this.#run();
  }

  location(prefix = ''): S3Location {
    return { kind: 's3', bucket: 'recto-tests', prefix, endpoint: this.url, region: 'us-east-1', virtualHosted: false };
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#child.exited;
  }

  async restart(): Promise<void> {
    this.#child = this.#run();
    if (!(await this.#answers())) throw new Error('The S3 server did not start again.');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #run(): Bun.Subprocess<'ignore', 'ignore', 'ignore'> {
    return Bun.spawn([this.#command, '--port', `127.0.0.1:${this.#port}`, '--quiet', 'posix', this.folder], {
      env: { ...Bun.env, ROOT_ACCESS_KEY: s3Keys.accessKeyId, ROOT_SECRET_KEY: s3Keys.secretAccessKey },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
      timeout: longestLifeMs,
    });
  }

  async #answers(): Promise<boolean> {
    while (this.#child.exitCode === null) {
      if ((await fetch(this.url).catch(() => undefined)) !== undefined) return this.#child.exitCode === null;
      await Bun.sleep(20);
    }
    return false;
  }
}
