import { readFile } from 'node:fs/promises';
import { spawnChild } from './cleanup.ts';

/** A server in a process of its own, started for one measurement. */
export interface ChildServer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Seconds from its start to its first answer. */
  readonly startSeconds: number;
}

interface ChildOptions {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Finds the server's address in what it prints. */
  readonly address: RegExp;
  /** Requested until the response is 200. */
  readonly firstPath: string;
}

export async function startServer({ command, environment, address, firstPath }: ChildOptions): Promise<ChildServer> {
  const begun = performance.now();
  const child = spawnChild(command, {
    env: { ...process.env, ...environment },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const url = await findAddress(child.stdout, address);
  const answer = await fetch(url + firstPath);
  const startSeconds = (performance.now() - begun) / 1000;
  if (!answer.ok) throw new Error(`${url}${firstPath} answered ${answer.status}`);
  await answer.arrayBuffer();
  return {
    url,
    pid: child.pid,
    startSeconds,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

async function findAddress(output: ReadableStream<Uint8Array>, address: RegExp): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of output) {
    text += decoder.decode(chunk, { stream: true });
    const found = address.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  throw new Error(`The server ended before it printed its address:\n${text}`);
}

/** Resident memory of a process in MiB. */
export interface ProcessMemory {
  readonly total: number;
  /** Heaps and stacks: memory that can leak. */
  readonly anonymous: number;
  /** Pages of mapped files, such as the program itself and SQLite's file, and of shared memory; the kernel can reclaim them. */
  readonly mapped: number;
}

/** As reported by the kernel (Linux, proc_pid_status(5)). */
export async function processMemory(pid: number): Promise<ProcessMemory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024;
  return { total: of('VmRSS'), anonymous: of('RssAnon'), mapped: of('RssFile') + of('RssShmem') };
}

export const residentMebibytes = async (pid: number): Promise<number> => (await processMemory(pid)).total;

/** Processor seconds used so far, by the program and by the kernel for it (Linux; 100 ticks a second). */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
