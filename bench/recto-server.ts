import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChildServer, startServer } from './child-server.ts';
import { makeFolder, removeFolder, spawnChild } from './cleanup.ts';

const admin = { email: 'bench@example.com', password: 'a bench password' } as const;

/** A Recto of this checkout with its own empty data folder, deleted when it is disposed of. */
export interface Recto extends AsyncDisposable {
  readonly folder: string;
  /** The SQLite file, unless the settings name another database. */
  readonly database: string;
  start(environment?: Readonly<Record<string, string>>): Promise<ChildServer>;
  /** Imports files for `recto import json`; returns the seconds that it took. */
  import(path: string, environment?: Readonly<Record<string, string>>): Promise<number>;
  /** Copies a SQLite file, its own where none is named, into an empty database, which is faster than another import. */
  copyTo(url: string, file?: string): Promise<void>;
}

const main = join(import.meta.dir, '../packages/recto/src/cli/main.ts');

/** `types` are definitions, `more` are settings for all its processes, such as `RECTO_DATABASE_URL`. */
export async function prepareRecto(
  types: readonly { readonly singular: string }[],
  more: Readonly<Record<string, string>> = {},
): Promise<Recto> {
  const folder = await makeFolder();
  const definitions = join(folder, 'content-types');
  await Bun.write(join(definitions, '.keep'), '');
  for (const definition of types) {
    await writeFile(join(definitions, `${definition.singular}.json`), JSON.stringify(definition));
  }
  const database = join(folder, 'data/recto.db');
  const settings = {
    RECTO_PORT: '0',
    RECTO_WORKERS: '1',
    RECTO_LOG_LEVEL: 'warn',
    RECTO_DATA_DIR: join(folder, 'data'),
    RECTO_CONTENT_TYPES_DIR: definitions,
    RECTO_ADMIN_EMAIL: admin.email,
    RECTO_ADMIN_PASSWORD: admin.password,
    ...more,
  };
  return {
    folder,
    database,
    start: (environment = {}) =>
      startServer({
        command: [process.execPath, main, 'start'],
        environment: { ...settings, ...environment },
        address: /http:\/\/127\.0\.0\.1:\d+/,
        firstPath: '/api/v1/healthz',
      }),
    import: async (path, environment = {}) => {
      const begun = performance.now();
      await run(['import', 'json', path], { ...settings, ...environment });
      return (performance.now() - begun) / 1000;
    },
    copyTo: (url, file = database) => run(['copy', '--from', `sqlite:${file}`, '--to', url], settings),
    [Symbol.asyncDispose]: () => removeFolder(folder),
  };
}

async function run(words: readonly string[], settings: Readonly<Record<string, string>>): Promise<void> {
  const child = spawnChild([process.execPath, main, ...words], {
    env: { ...process.env, ...settings },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`recto ${words[0]} failed:\n${errors}`);
}

export async function signIn(server: ChildServer): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${server.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(admin),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' };
}
