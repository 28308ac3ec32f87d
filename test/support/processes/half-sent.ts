import { connect, type Socket } from 'node:net';

/** A request whose body is not yet whole, on a connection of its own. */
export function halfSent(
  url: string,
  path: string,
  body: string,
  connection: 'keep-alive' | 'close' = 'keep-alive',
): { finish(): void; answer: Promise<string>; sent: Promise<void> } {
  const { hostname, port } = new URL(url);
  const answer = Promise.withResolvers<string>();
  const sent = Promise.withResolvers<void>();
  let text = '';
  const headers = {
    Host: hostname,
    Connection: connection,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const socket: Socket = connect(Number(port), hostname, () => {
    socket.write(head + body.slice(0, 5), () => sent.resolve());
  });
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('error', answer.reject);
  socket.on('close', () => answer.resolve(text));
  return { finish: () => void socket.write(body.slice(5)), answer: answer.promise, sent: sent.promise };
}
