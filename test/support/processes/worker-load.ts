import { connect, type Socket } from 'node:net';

/** What came of one request on a socket. `unanswered`: sent, and then the connection ended. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly worker: string; readonly body: string }
  | { readonly kind: 'unanswered' | 'refused' };

/**
 * A client with a connection of its own, as long as the service keeps it. Nothing is ever sent twice, as clients that repeat
 * a request by themselves would.
 */
export class RawClient implements Disposable {
  readonly #url: URL;
  #socket: Socket | undefined;
  /** Whether the connection has served a request before. */
  reused = false;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  async send(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): Promise<Outcome> {
    // One that the other side has closed while nothing was asked.
    if (this.#socket?.destroyed) this.#socket = undefined;
    this.reused = this.#socket !== undefined;
    try {
      this.#socket ??= await open(this.#url);
    } catch {
      return { kind: 'refused' };
    }
    const socket = this.#socket;
    const outcome = await exchange(socket, requestText(this.#url, line, headers, body));
    if (outcome.kind !== 'answered' || outcome.closes) this[Symbol.dispose]();
    return outcome;
  }

  [Symbol.dispose](): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape; a wrong path fails the test.
type Json = any;

export interface Answered {
  readonly status: number;
  readonly worker: string;
  readonly json: Json;
}

type Headers = Readonly<Record<string, string>>;

/** Sends a request with a JSON body, if any, which must be answered. */
export async function askOn(client: RawClient, line: string, headers: Headers = {}, body?: object): Promise<Answered> {
  const outcome = await client.send(line, headers, body === undefined ? '' : JSON.stringify(body));
  if (outcome.kind !== 'answered') throw new Error(`${line} was ${outcome.kind}.`);
  const { status, worker, body: text } = outcome;
  return { status, worker, json: text === '' ? null : JSON.parse(text) };
}

/** The same, on a connection of its own. */
export async function ask(url: string, line: string, headers: Headers = {}, body?: object): Promise<Answered> {
  using client = new RawClient(url);
  // Awaited, for the connection is closed when this function is left.
  return await askOn(client, line, headers, body);
}

function open({ hostname, port }: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.setNoDelay(true);
    socket.on('error', reject);
  });
}

function requestText({ host }: URL, line: string, headers: Readonly<Record<string, string>>, body: string): string {
  const bytes = Buffer.byteLength(body);
  const all = {
    Host: host,
    ...(body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': bytes }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

type Exchanged = Outcome & { readonly closes?: boolean };

function exchange(socket: Socket, request: string): Promise<Exchanged> {
  const answer = Promise.withResolvers<Exchanged>();
  let text = '';
  const gone = (): void => answer.resolve({ kind: 'unanswered' });
  const received = (data: Buffer): void => {
    text += data.toString('latin1');
    const whole = readAnswer(text);
    if (whole !== undefined) answer.resolve(whole);
  };
  socket.on('data', received).on('error', gone).on('close', gone);
  socket.write(request);
  return answer.promise.finally(() => {
    socket.off('data', received).off('error', gone).off('close', gone);
  });
}

function readAnswer(text: string): Exchanged | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  const body = text.slice(end + 4);
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  if (body.length < Number(header('content-length'))) return undefined;
  return {
    kind: 'answered',
    status: Number(head.slice(9, 12)),
    // The first part of a request's id is its process's.
    worker: header('x-request-id').split('-')[0] ?? '',
    body,
    closes: header('connection').toLowerCase() === 'close',
  };
}
