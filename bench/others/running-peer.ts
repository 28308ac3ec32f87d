import { processMemory, processorSeconds } from '../child-server.ts';
import { spawnChild } from '../cleanup.ts';
import type { Peer } from './peer.ts';

/** A system that serves. */
export interface RunningPeer extends AsyncDisposable {
  readonly url: string;
  /** Milliseconds from the start of its process to its first answer. */
  readonly startMs: number;
  /** Processor time so far, in milliseconds. */
  processorMs(): Promise<number>;
  /** Resident memory. */
  mebibytes(): Promise<number>;
}

/** Far above what any of them needs. */
const patienceMs = 60_000;

/** Starts a system on a free port and waits for its first answer. */
export async function startPeer(peer: Peer, folder: string): Promise<RunningPeer> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const { command, environment, folder: cwd } = peer.launch(folder, port);
  const begun = performance.now();
  const child = spawnChild(command, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...environment },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  while (!(await answers(url + peer.readyPath))) {
    if (child.exitCode !== null) throw new Error(`${peer.name} ended with ${child.exitCode}.`);
    if (performance.now() - begun > patienceMs) throw new Error(`${peer.name} does not answer.`);
    await Bun.sleep(1);
  }
  const startMs = performance.now() - begun;
  return {
    ...{ url, startMs },
    processorMs: async () => (await processorSeconds(child.pid)) * 1000,
    mebibytes: async () => (await processMemory(child.pid)).total,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function freePort(): number {
  const socket = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
  const { port } = socket;
  socket.stop(true);
  return port;
}
