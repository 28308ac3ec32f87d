import { afterAll, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { sampleApp, sampleOperations } from '../../../../test/support/sample-app.ts';
import { FatalError } from '../base/fatal-error.ts';
import { createLogger } from '../base/logger.ts';
import type { App } from './app.ts';
import type { Operation } from './operation.ts';
import { json } from './responses/json-response.ts';
import { type Server, serve } from './server.ts';

const lines: string[] = [];
const log = createLogger('warn', { write: (line) => lines.push(line) });
const servers: Server[] = [];

function start(app: App): Server {
  const server = serve(() => app, { host: '127.0.0.1', port: 0, log });
  servers.push(server);
  return server;
}

afterAll(() => Promise.all(servers.map((server) => server.stop(0))));

const portOf = (server: Server): number => Number(new URL(server.url).port);

/** A connection to which bytes are written as they are. */
class Wire {
  readonly socket: Socket;
  received = '';
  closed = false;

  constructor(server: Server) {
    this.socket = connect(portOf(server), '127.0.0.1');
    this.socket.on('data', (data) => {
      this.received += data;
    });
    this.socket.on('close', () => {
      this.closed = true;
    });
    // A connection that the server cuts off is part of some tests.
    this.socket.on('error', () => {});
  }

  /** A character of the text is a byte. */
  write(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Waits until what was received matches; the test's own time limit ends it otherwise. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.received)) await Bun.sleep(1);
    return this.received;
  }

  async untilClosed(): Promise<void> {
    while (!this.closed) await Bun.sleep(1);
  }
}

const head = (line: string, ...headers: readonly string[]): string =>
  `${[`${line} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const asJson = 'Content-Type: application/json';

describe('on a socket', () => {
  const server = start(sampleApp());

  test('a body that is announced as too large is rejected before it is sent', async () => {
    const wire = new Wire(server);
    wire.write(head('POST /things', asJson, 'Content-Length: 100000000'));
    expect(await wire.until(/body_too_large/)).toStartWith('HTTP/1.1 413 ');
    wire.socket.destroy();
  });

  test('a body in chunks is read', async () => {
    const wire = new Wire(server);
    wire.write(head('POST /things', asJson, 'Transfer-Encoding: chunked'));
    // The two bytes of "é" come in two chunks.
    for (const piece of ['{"a"', ':"\xc3', '\xa9"}']) wire.write(chunk(piece));
    wire.write('0\r\n\r\n');
    const answer = await wire.until(/"same":true/);
    expect(answer).toStartWith('HTTP/1.1 200 ');
    expect(answer).toContain('{"a":"é"}');
    wire.socket.destroy();
  });

  test('a body in chunks is rejected once it is too large, and the connection can go on', async () => {
    const wire = new Wire(server);
    wire.write(head('POST /things', asJson, 'Transfer-Encoding: chunked'));
    for (let count = 0; count < 3; count++) wire.write(chunk('x'.repeat(400)));
    expect(await wire.until(/body_too_large/)).toStartWith('HTTP/1.1 413 ');
    wire.write(`0\r\n\r\n${head('GET /sync')}`);
    await wire.until(/HTTP\/1\.1 200 /);
    wire.socket.destroy();
  });

  test('a POST without a body', async () => {
    const response = await fetch(`${server.url}/things`, { method: 'POST' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'body_missing' });
  });

  test('HEAD returns the length of what GET returns', async () => {
    for (const path of ['/sync', '/nothing']) {
      const wire = new Wire(server);
      wire.write(head(`HEAD ${path}`, 'X-Request-Id: r1', 'Connection: close'));
      await wire.untilClosed();
      const body = await (await fetch(server.url + path, { headers: { 'X-Request-Id': 'r1' } })).text();
      expect(wire.received.toLowerCase()).toContain(`content-length: ${body.length}\r\n`);
      expect(wire.received).toEndWith('\r\n\r\n');
    }
  });

  test('the address of the peer', async () => {
    expect(await (await fetch(`${server.url}/optional`)).json()).toMatchObject({ address: '127.0.0.1' });
  });

  test('a Host header that is no host', async () => {
    const wire = new Wire(server);
    wire.write('GET /pages/a?x HTTP/1.1\r\nHost: evil/things?\r\n\r\n');
    expect(await wire.until(/unknown_parameter/)).toStartWith('HTTP/1.1 400 ');
    wire.socket.destroy();
  });

  for (const framing of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
    test(`a client that goes away while it sends (${framing}) does no harm`, async () => {
      const wire = new Wire(server);
      wire.write(head('POST /things', asJson, framing));
      wire.write(framing.startsWith('Content') ? '{' : chunk('{'));
      await Bun.sleep(20);
      wire.socket.destroy();
      await Bun.sleep(20);
      expect((await fetch(`${server.url}/sync`)).status).toBe(200);
      expect(lines).toEqual([]);
    });
  }

  test('the app may change while it serves', async () => {
    let app = sampleApp();
    const changing = serve(() => app, { host: '127.0.0.1', port: 0, log });
    servers.push(changing);
    expect((await fetch(`${changing.url}/sync`)).status).toBe(200);
    app = sampleApp({ operations: [] });
    expect((await fetch(`${changing.url}/sync`)).status).toBe(404);
  });
});

describe('a place where it cannot listen', () => {
  const taken = start(sampleApp());
  const cases: readonly (readonly [name: string, host: string, port: number, reason: RegExp])[] = [
    [
      'a port in use',
      '127.0.0.1',
      portOf(taken),
      /^Cannot listen on 127\.0\.0\.1, port \d+: another program uses this port\.$/,
    ],
    ['an address of another machine', '192.0.2.1', 0, /this machine has no such address/],
    ['a name that is no host', 'no-host.invalid', 0, /this machine has no such address/],
    ['a number that is no port', '127.0.0.1', 70_000, /^Cannot listen on 127\.0\.0\.1, port 70000: /],
  ];
  for (const [name, host, port, reason] of cases) {
    test(name, () => {
      const attempt = () => serve(() => sampleApp(), { host, port, log });
      expect(attempt).toThrow(FatalError);
      expect(attempt).toThrow(reason);
    });
  }
});

describe('stopping', () => {
  /** A server whose `/wait` answers when it is let. */
  function waiting() {
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const sync = sampleOperations.filter(({ id }) => id === 'sync');
    const wait: Operation = {
      id: 'wait',
      method: 'GET',
      path: '/wait',
      tag: 'samples',
      summary: 'wait',
      security: 'none',
      responses: {},
      problems: [],
      async handle() {
        entered.resolve();
        await gate.promise;
        return json(200, 'x'.repeat(1_000_000));
      },
    };
    return { server: start(sampleApp({ operations: [...sync, wait] })), open: gate.resolve, entered: entered.promise };
  }

  test('lets what runs finish, and takes nothing new', async () => {
    const { server, open, entered } = waiting();
    const running = fetch(`${server.url}/wait`);
    await entered;
    const stopped = server.stop(60_000);
    await expect(fetch(`${server.url}/sync`, { keepalive: false })).rejects.toThrow();
    open();
    expect((await (await running).text()).length).toBe(1_000_002);
    await stopped;
  });

  test('does not wait for connections that are idle', async () => {
    const { server } = waiting();
    const wire = new Wire(server);
    wire.write(head('GET /sync'));
    await wire.until(/"ok":true/);
    await server.stop(60_000);
    await wire.untilClosed();
  });

  test('cuts off what takes longer than it is given', async () => {
    const { server, open, entered } = waiting();
    const wire = new Wire(server);
    wire.write(head('GET /wait'));
    await entered;
    await server.stop(20);
    await wire.untilClosed();
    expect(wire.received).toBe('');
    open();
    expect(lines.splice(0).join()).toContain('requests were cut off');
  });
});
