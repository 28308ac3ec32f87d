import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChildServer, startServer } from './child-server.ts';

const admin = { email: 'bench@example.com', password: 'a bench password' } as const;

/** A Recto of this checkout with its own empty data folder. */
export interface Recto {
  readonly folder: string;
  readonly start: () => Promise<ChildServer>;
}

/** `types` are definitions by file name. */
export async function prepareRecto(types: Readonly<Record<string, object>>): Promise<Recto> {
  const folder = await mkdtemp(join(tmpdir(), 'recto-bench-'));
  const definitions = join(folder, 'content-types');
  await Bun.write(join(definitions, '.keep'), '');
  for (const [name, definition] of Object.entries(types)) {
    await writeFile(join(definitions, `${name}.json`), JSON.stringify(definition));
  }
  const start = () =>
    startServer({
      command: [process.execPath, join(import.meta.dir, '../src/cli/main.ts'), 'start'],
      environment: {
        RECTO_PORT: '0',
        RECTO_DATA_DIR: join(folder, 'data'),
        RECTO_CONTENT_TYPES_DIR: definitions,
        RECTO_ADMIN_EMAIL: admin.email,
        RECTO_ADMIN_PASSWORD: admin.password,
      },
      address: /http:\/\/127\.0\.0\.1:\d+/,
      firstPath: '/api/v1/healthz',
    });
  return { folder, start };
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
