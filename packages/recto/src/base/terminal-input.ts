import { UsageFault } from './usage-fault.ts';

/** Prompts on stderr and reads a line from the terminal without echo. Ctrl-C or Ctrl-D cancels. */
export async function askHidden(question: string): Promise<string> {
  const { Writable } = await import('node:stream');
  return askLine(question, new Writable({ write: (_chunk, _encoding, done) => done() })).finally(() => {
    process.stderr.write('\n');
  });
}

/** Prompts on stderr and reads a line from the terminal. Ctrl-C or Ctrl-D cancels. */
export const ask = (question: string): Promise<string> => askLine(question, process.stderr);

async function askLine(question: string, echo: NodeJS.WritableStream): Promise<string> {
  // Loaded with the first question: a service that starts asks none.
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin, output: echo, terminal: true });
  process.stderr.write(question);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  lines.once('line', resolve);
  // Also fires after a line was read, when it no longer matters.
  lines.once('close', () => reject(new UsageFault('Nothing was entered.')));
  lines.once('SIGINT', () => lines.close());
  return promise.finally(() => lines.close());
}

/** All of stdin, as text. */
export const readAll = (): Promise<string> => Bun.stdin.text();
