import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RectoFolder } from '../test/support/processes/recto-process.ts';

/**
 * Measures the memory that a service of one process has written and shares with no other, while it returns a list as CSV:
 * `bun bench/csv-memory.ts [rows …]`, by default 10,000 and 100,000 rows of about 300 bytes. Linux only. Pages of the database file,
 * which is mapped, are not among it.
 */
const admin = { RECTO_ADMIN_EMAIL: 'ada@example.com', RECTO_ADMIN_PASSWORD: 'correct horse' };

const noteType = `
singular = "note"
plural = "notes"

[[fields]]
name = "text"
field_type = "text"
`;

function privateBytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const sizes = [...rollup.matchAll(/^Private_Dirty:\s+(\d+) kB/gm)].map(([, size]) => Number(size));
  return sizes.reduce((sum, size) => sum + size, 0) * 1024;
}

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** What a service that has just started needs more at most while it returns so many rows. */
async function measure(rows: number): Promise<void> {
  using folder = new RectoFolder({ 'note.toml': noteType });
  const lines = Array.from({ length: rows }, (_, row) => `${row},${`"=text ${row}", and more. `.repeat(10)}`);
  const cell = (line: string) => `"${line.replaceAll('"', '""')}"`;
  await Bun.write(join(folder.path, 'notes.csv'), ['text', ...lines.map(cell)].join('\r\n'));
  const imported = await folder.run(['import', 'csv', 'notes.csv'], {});
  if (imported.exitCode !== 0) throw new Error(imported.err);
  const recto = folder.spawn(['start'], { ...admin, RECTO_LOG_LEVEL: 'error' });
  const url = await recto.url();
  const login = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: admin.RECTO_ADMIN_EMAIL, password: admin.RECTO_ADMIN_PASSWORD }),
  });
  // The answer of a service of this version.
  const { access_token: token } = (await login.json()) as { readonly access_token: string };
  const headers = { Authorization: `Bearer ${token}` };
  await (await fetch(`${url}/api/v1/admin/cms/notes?page_size=1`, { headers })).bytes();
  const idle = privateBytes(recto.pid);
  let most = idle;
  let bytes = 0;
  const reply = await fetch(`${url}/api/v1/admin/cms/notes?format=csv`, { headers });
  if (reply.body === null) throw new Error('There is no body.');
  for await (const chunk of reply.body) {
    bytes += chunk.length;
    most = Math.max(most, privateBytes(recto.pid));
  }
  process.stdout.write(`${rows} rows, ${mebibytes(bytes)}: ${mebibytes(most - idle)} beside ${mebibytes(idle)} idle\n`);
  recto.kill('SIGTERM');
  await recto.ended();
}

const wanted = process.argv.slice(2).map(Number);
for (const rows of wanted.length > 0 ? wanted : [10_000, 100_000]) await measure(rows);
