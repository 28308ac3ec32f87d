import { createServer } from 'node:net';
import type { Settings } from '../../config/settings.ts';
import { type Finding, fail, messageOf, ok } from '../../features/finding.ts';

const answerMs = 2_000;

/** Whether the service can listen on the host and port of the settings, or already does. */
export async function portFinding({ host, port }: Pick<Settings, 'host' | 'port'>): Promise<Finding> {
  const check = 'port';
  const place = `${host}:${port}`;
  if (port === 0) return ok(check, 'any that is free');
  const error = await listenError(host, port);
  if (error === undefined) return ok(check, `${place} is free`);
  if (codeOf(error) !== 'EADDRINUSE')
    return fail(
      check,
      `${place}: ${messageOf(error)}`,
      'Set RECTO_HOST and RECTO_PORT to what this user may listen on.',
    );
  if (await rectoAnswers(host, port)) return ok(check, `${place}: a service answers there already`);
  return fail(check, `${place} is taken by another program`, 'Stop that program, or set RECTO_PORT.');
}

function listenError(host: string, port: number): Promise<Error | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>();
  const server = createServer();
  server.once('error', resolve);
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  return promise;
}

/** Whether what listens there answers as this service does. */
async function rectoAnswers(host: string, port: number): Promise<boolean> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const address = reachable.includes(':') ? `[${reachable}]` : reachable;
  try {
    const answer = await fetch(`http://${address}:${port}/api/v1/healthz`, { signal: AbortSignal.timeout(answerMs) });
    return answer.ok && answer.headers.has('x-request-id');
  } catch {
    return false;
  }
}

const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined);
