// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { environmentOf, newTestLocation } from '../support/database/database.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';

// Lists as CSV over sockets: clients that do not read, that go away, and that are there when the service stops.

const types = {
  'note.toml': `singular = "note"
plural = "notes"
fields = [{ name = "count", field_type = "integer", indexed = true }, { name = "text", field_type = "text" }]
`,
};
/** Together more than the buffers of two sockets take. */
const [records, length] = [8_000, 2_000];

/** A client that reads when it is asked to. */
class Reader {
  readonly #socket;
  readonly #chunks: Buffer[] = [];
  readonly #begun = Promise.withResolvers<void>();
  readonly ended = Promise.withResolvers<void>();

  constructor(url: string, path: string) {
    const { hostname, port } = new URL(url);
    this.#socket = connect({ host: hostname, port: Number(port) });
    this.#socket.on('data', (chunk) => {
      this.#chunks.push(Buffer.from(chunk));
      this.#begun.resolve();
    });
    this.#socket.on('close', () => this.ended.resolve());
    this.#socket.on('error', () => this.ended.resolve());
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
  }

  /** Resolves once something has arrived; nothing is read from then on. */
  async pauseWhenBegun(): Promise<void> {
    await this.#begun.promise;
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** The body, without the lengths of its chunks; undefined where it has been broken off. */
  get body(): string | undefined {
    const bytes = Buffer.concat(this.#chunks);
    let at = bytes.indexOf('\r\n\r\n') + 4;
    const parts: Buffer[] = [];
    while (at < bytes.length) {
      const end = bytes.indexOf('\r\n', at);
      const size = Number.parseInt(bytes.subarray(at, end).toString(), 16);
      if (size === 0) return Buffer.concat(parts).toString();
      parts.push(bytes.subarray(end + 2, end + 2 + size));
      at = end + 2 + size + 2;
    }
    return undefined;
  }
}

test('clients that do not read hold up nobody, and get everything in the end', async () => {
  await using place = await newTestLocation();
  using folder = new RectoFolder(types);
  const environment = { RECTO_RATE_LIMIT: 'off', RECTO_WORKERS: '2', ...environmentOf(place) };
  const text = 'x'.repeat(length);
  const lines = Array.from({ length: records }, (_, count) => JSON.stringify({ count, text }));
  writeFileSync(join(folder.path, 'notes.ndjson'), `${lines.join('\n')}\n`);
  expect((await folder.run(['import', 'json', 'notes.ndjson'], environment)).exitCode).toBe(0);

  const service = folder.spawn(['start'], environment);
  const url = await service.url();
  const path = '/api/v1/cms/notes?format=csv&sort=count:asc&fields=count,text';
  // So many that both workers have some.
  const readers = Array.from({ length: 6 }, () => new Reader(url, path));
  for (const reader of readers) await reader.pauseWhenBegun();
  const [gone, stopped, ...others] = readers;
  gone?.destroy();
  for (let request = 0; request < 10; request += 1) {
    const response = await fetch(`${url}/api/v1/cms/notes?page_size=1`);
    expect(await response.json()).toMatchObject({ total: records });
  }
  for (const reader of others) {
    reader.resume();
    await reader.ended.promise;
    const rows = reader.body?.split('\r\n') ?? [];
    expect(rows).toHaveLength(records + 2);
    expect(rows[0]).toBe('id,count,text');
    rows.slice(1, -1).forEach((row, count) => {
      if (!row.endsWith(`,${count},${text}`)) throw new Error(`Row ${count} is ${row.slice(0, 80)}`);
    });
  }
  // The last one has not read when the service stops: what ends is whole.
  service.kill('SIGTERM');
  stopped?.resume();
  await stopped?.ended.promise;
  expect((await service.ended()).exitCode).toBe(0);
  const body = stopped?.body;
  if (body !== undefined) expect(body.split('\r\n')).toHaveLength(records + 2);
}, 600_000);
