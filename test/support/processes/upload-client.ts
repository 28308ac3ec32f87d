import { connect, type Socket } from 'node:net';

/** How the bytes of a body leave the client. */
export interface Pace {
  /** The size of each write to the socket. */
  readonly chunkBytes: number;
  /** Waits between writes, so that the service reads the body in many parts. */
  readonly isSlow: boolean;
  /** `Transfer-Encoding: chunked` in place of `Content-Length`. */
  readonly isChunked: boolean;
}

export interface SocketReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/**
 * An HTTP client with a socket of its own, which it keeps between requests as browsers do. It decides where each write to the socket
 * ends: the client of the runtime does not. A request is never sent twice.
 */
export class UploadClient implements Disposable {
  readonly #url: URL;
  #connection: Connection | undefined;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  async send(
    line: string,
    headers: Readonly<Record<string, string>> = {},
    body: Uint8Array | undefined = undefined,
    pace: Pace = { chunkBytes: 64 * 1024, isSlow: false, isChunked: false },
  ): Promise<SocketReply> {
    if (this.#connection?.isClosed !== false) this.#connection = await Connection.open(this.#url);
    const connection = this.#connection;
    const reply = connection.reply(line.startsWith('HEAD '));
    await connection.write(requestHead(this.#url, line, headers, body, pace));
    if (body !== undefined) await sendBody(connection, body, pace);
    const received = await reply;
    if (received.headers.get('connection')?.toLowerCase() === 'close') this[Symbol.dispose]();
    return received;
  }

  [Symbol.dispose](): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

function requestHead(
  { host }: URL,
  line: string,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | undefined,
  { isChunked }: Pace,
): Buffer {
  const length = isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(body?.length) };
  const all = { Host: host, ...headers, ...(body === undefined ? {} : length) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`);
}

async function sendBody(connection: Connection, body: Uint8Array, pace: Pace): Promise<void> {
  for (let start = 0; start < body.length && !connection.isClosed; start += pace.chunkBytes) {
    const chunk = body.subarray(start, start + pace.chunkBytes);
    await connection.write(pace.isChunked ? chunkOf(chunk) : chunk);
    if (pace.isSlow) await Bun.sleep(1);
  }
  if (pace.isChunked) await connection.write(Buffer.from('0\r\n\r\n'));
}

const chunkOf = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** A socket, and what has arrived on it of the response that is waited for. */
class Connection {
  readonly #socket: Socket;
  #received: Buffer[] = [];
  #size = 0;
  #waiting: { readonly isHead: boolean; readonly settle: PromiseWithResolvers<SocketReply> } | undefined;
  isClosed = false;

  static open({ hostname, port }: URL): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new Connection(socket)));
      socket.setNoDelay(true);
      socket.on('error', reject);
    });
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    const end = (error?: Error): void => {
      this.isClosed = true;
      this.#waiting?.settle.reject(error ?? new Error('The connection ended without a response.'));
    };
    socket.on('data', (data) => {
      const bytes = Buffer.from(data);
      this.#received.push(bytes);
      this.#size += bytes.length;
      this.#read();
    });
    socket.on('error', end).on('close', () => end());
  }

  reply(isHead: boolean): Promise<SocketReply> {
    this.#received = [];
    this.#size = 0;
    const settle = Promise.withResolvers<SocketReply>();
    this.#waiting = { isHead, settle };
    // It is waited for once everything has been sent.
    settle.promise.catch(() => undefined);
    return settle.promise;
  }

  /** Resolves when the system has taken the bytes. */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (this.isClosed) resolve();
      else this.#socket.write(bytes, () => resolve());
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(): void {
    if (this.#waiting === undefined) return;
    const reply = replyIn(this.#received, this.#size, this.#waiting.isHead);
    if (reply === undefined) return;
    this.#waiting.settle.resolve(reply);
    this.#waiting = undefined;
  }
}

/** Undefined while parts of it are missing. Its length must be known: the service sends these responses so. */
function replyIn(received: Buffer[], size: number, isHead: boolean): SocketReply | undefined {
  // The headers are in the first segments; the rest is joined once, at the end.
  let first = received[0] ?? Buffer.alloc(0);
  let end = first.indexOf('\r\n\r\n');
  if (end === -1) {
    first = Buffer.concat(received);
    received.splice(0, received.length, first);
    end = first.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
  }
  const [statusLine = '', ...lines] = first.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = isHead ? 0 : Number(headers.get('content-length') ?? 0);
  if (size < end + 4 + length) return undefined;
  const body = Buffer.concat(received).subarray(end + 4, end + 4 + length);
  return { status: Number(statusLine.slice(9, 12)), headers, body };
}
