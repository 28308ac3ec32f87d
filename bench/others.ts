import { cleanUpAtExit, makeFolder, removeFolder } from './cleanup.ts';
import { generator, type LoadResult, load } from './load.ts';
import { articleNumber, type Peer } from './others/peer.ts';
import { pocketbase } from './others/pocketbase.ts';
import { raisfast } from './others/raisfast.ts';
import { recto } from './others/recto-peer.ts';
import { type RunningPeer, startPeer } from './others/running-peer.ts';
import { logProgress } from './progress.ts';
import { fixed, table, whole } from './table.ts';

/**
 * Recto beside other systems, on SQLite, one after another on the same machine: `bun bench/others.ts [RECORDS] [ROUNDS] [SECONDS]`. The others are
 * measured where they are installed: on the PATH, or where RECTO_BENCH_POCKETBASE and RECTO_BENCH_RAISFAST name their programs. All are
 * filled through their own API with the same articles, and loaded in turn, so that changes of the machine affect all.
 */
const [records = 10_000, rounds = 5, seconds = 3] = process.argv.slice(2).map(Number);
const connections = 32;

const loads = ['list of 20', 'read by id', 'create'] as const;

interface Measured {
  readonly peer: Peer;
  readonly folder: string;
  readonly id: string;
  readonly results: Readonly<Record<(typeof loads)[number], LoadResult[]>>;
  readonly starts: { readonly ms: number; readonly processorMs: number; readonly mebibytes: number }[];
  loadedMebibytes: number;
}

cleanUpAtExit();
const peers = [recto, pocketbase, raisfast];
for (const { name, absent } of peers) if (absent !== undefined) process.stdout.write(`${name} is skipped: ${absent}\n`);
const measured: Measured[] = [];
for (const peer of peers.filter(({ absent }) => absent === undefined)) measured.push(await fill(peer));

for (let round = 0; round < rounds; round += 1) {
  logProgress(`round ${round + 1} of ${rounds}`);
  for (const one of measured) await measureStart(one);
  for (const one of measured) await measureLoads(one);
}
process.stdout.write(`${report()}\n`);
for (const { folder } of measured) await removeFolder(folder);

async function fill(peer: Peer): Promise<Measured> {
  const folder = await makeFolder();
  await peer.prepare(folder);
  await using server = await startPeer(peer, folder);
  await peer.setUp(server.url, folder);
  logProgress(`filling ${peer.name} with ${whole(records)} articles`);
  let next = 0;
  let id = '';
  const createSome = async (): Promise<void> => {
    for (let number = next++; number < records; number = next++) {
      const answer = await create(peer, server, number);
      // One that is published, near the middle.
      if (number === Math.floor(records / 20) * 10 + 1) id = peer.idOf(answer);
    }
  };
  await Promise.all(Array.from({ length: connections }, createSome));
  const list = await fetch(server.url + peer.listPath);
  if (!list.ok || (await list.text()).length < 2_000) throw new Error(`${peer.name} does not list its articles.`);
  const empty = (): LoadResult[] => [];
  const results = { 'list of 20': empty(), 'read by id': empty(), create: empty() };
  return { peer, folder, id, results, starts: [], loadedMebibytes: Number.NaN };
}

async function create(peer: Peer, server: RunningPeer, number: number): Promise<unknown> {
  const response = await fetch(server.url + peer.createPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(articleNumber(number)),
  });
  if (!response.ok) throw new Error(`${peer.name}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function measureStart({ peer, folder, starts }: Measured): Promise<void> {
  await using server = await startPeer(peer, folder);
  await Bun.sleep(1_000);
  const [processorMs, mebibytes] = await Promise.all([server.processorMs(), server.mebibytes()]);
  starts.push({ ms: server.startMs, processorMs, mebibytes });
}

async function measureLoads(one: Measured): Promise<void> {
  const { peer, folder, id, results } = one;
  await using server = await startPeer(peer, folder);
  const body = JSON.stringify(articleNumber(1));
  const requests = {
    'list of 20': { url: server.url + peer.listPath },
    'read by id': { url: server.url + peer.readPath(id) },
    create: { url: server.url + peer.createPath, body },
  };
  for (const name of loads) {
    const result = await load({ ...requests[name], connections, seconds });
    if (result.faults > 0) throw new Error(`${peer.name}, ${name}: ${result.faults} requests failed.`);
    results[name].push(result);
  }
  one.loadedMebibytes = await server.mebibytes();
}

function report(): string {
  const head = ['', ...measured.map(({ peer }) => peer.name)];
  const rows = [
    ...loads.flatMap((name) => [
      [
        `${name}: requests/s`,
        ...measured.map(({ results }) => whole(median(results[name], (one) => one.requestsPerSecond))),
      ],
      [`${name}: p99 ms`, ...measured.map(({ results }) => fixed(median(results[name], (one) => one.p99)))],
    ]),
    ['start to first answer, ms', ...measured.map(({ starts }) => whole(median(starts, ({ ms }) => ms)))],
    ['processor ms of a start', ...measured.map(({ starts }) => whole(median(starts, (one) => one.processorMs)))],
    ['MiB after a start', ...measured.map(({ starts }) => whole(median(starts, ({ mebibytes }) => mebibytes)))],
    ['MiB after the load', ...measured.map(({ loadedMebibytes }) => whole(loadedMebibytes))],
  ];
  const how = `${whole(records)} articles, ${connections} connections by ${generator}, ${rounds} rounds of ${seconds} s, medians, one process each. Recto acknowledges a create after fsync.`;
  return `${table(head, rows)}\n\n${how}`;
}

function median<T>(all: readonly T[], of: (one: T) => number): number {
  const values = all.map(of).toSorted((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}
