import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';

export const nginxFile = join(import.meta.dir, '../../../deploy/nginx.conf');

/** Where nginx is installed; Debian has it outside of the path of ordinary users. */
export const nginxPath = Bun.which('nginx', { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin` });

/** Ends a process that a failed test would otherwise leave behind. No test is to meet it, on a busy machine either. */
const longestLifeMs = 7_200_000;

/** A running nginx with the configuration that ships with Recto, before these services instead of those that it names. */
export class NginxProcess implements AsyncDisposable {
  readonly url: string;
  readonly #folder: string;
  readonly #child: Bun.Subprocess<'ignore', 'ignore', 'pipe'>;

  static async start(command: string, services: readonly string[]): Promise<NginxProcess> {
    // nginx cannot be given port 0, so another test may choose the same one before it listens.
    for (let tries = 0; tries < 10; tries++) {
      const nginx = new NginxProcess(command, services, freePort());
      if (await nginx.#answers()) return nginx;
      await nginx[Symbol.asyncDispose]();
    }
    throw new Error('nginx did not start.');
  }

  private constructor(command: string, services: readonly string[], port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.#folder = mkdtempSync(join(tmpdir(), 'recto-nginx-'));
    chmodSync(this.#folder, 0o755);
    const main = join(this.#folder, 'main.conf');
    writeFileSync(join(this.#folder, 'site.conf'), siteOf(services, port));
    writeFileSync(main, mainConfiguration(this.#folder));
    this.#child = Bun.spawn([command, '-p', this.#folder, '-c', main, '-e', 'stderr'], {
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      timeout: longestLifeMs,
    });
  }

  async #answers(): Promise<boolean> {
    while (this.#child.exitCode === null) {
      const response = await fetch(`${this.url}/metrics`).catch(() => undefined);
      if (response !== undefined) return this.#child.exitCode === null;
      await Bun.sleep(20);
    }
    const said = await this.#child.stderr.text();
    if (said.includes('Address already in use')) return false;
    throw new Error(`nginx refuses its configuration: ${said}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#child.exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The shipped configuration, with nothing changed but the addresses. */
function siteOf(services: readonly string[], port: number): string {
  const text = readFileSync(nginxFile, 'utf8');
  const own = /^ {4}server [\w.-]+:9898( .*;)$/gm;
  const options = [...text.matchAll(own)].map(([, rest]) => rest);
  const servers = services.map((url) => `    server ${new URL(url).host}${options[0]}`).join('\n');
  let written = false;
  const site = text.replace(own, () => {
    if (written) return '';
    written = true;
    return servers;
  });
  return site.replace('listen 80;', `listen 127.0.0.1:${port};`);
}

/** What Debian's nginx.conf has around a site, with everything in one folder, for any account. */
function mainConfiguration(folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  for (const kind of kinds) {
    mkdirSync(join(folder, kind));
    chmodSync(join(folder, kind), 0o777);
  }
  const temporary = kinds.map((kind) => `  ${kind}_temp_path ${join(folder, kind)};`).join('\n');
  return `daemon off;
worker_processes 1;
pid ${join(folder, 'pid')};
error_log stderr warn;
events {}
http {
  access_log off;
${temporary}
  include ${join(folder, 'site.conf')};
}
`;
}
