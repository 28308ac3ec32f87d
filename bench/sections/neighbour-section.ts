import { measureNeighbours, type NeighbourFigure, slowestQuery } from '../neighbour.ts';
import type { Section } from '../section.ts';
import { fixed, table, whole } from '../table.ts';

/** The latency for others while a neighbour keeps the service busy. */
export const neighbourSection: Section = {
  name: 'neighbour',
  title: 'gets by id beside busy neighbours',
  minutes: { quick: 2.5, whole: 5 },
  run: async ({ quick }, keep) => {
    const size = quick ? { records: 20_000, seconds: 5 } : { records: 100_000, seconds: 20 };
    const figures = await measureNeighbours(size, keep);
    return { figures, text: text(figures, size.records) };
  },
};

function text(figures: readonly NeighbourFigure[], records: number): string {
  const head = ['beside', 'workers', 'get: p50', 'p99', 'max', 'bare: p99', 'max', 'meanwhile'];
  const rows = figures.map(({ neighbour, workers, gets, bare, ...done }) => [
    neighbour,
    String(workers),
    ...[gets.p50, gets.p99, gets.max, bare.p99, bare.max].map((value) => fixed(value, 1)),
    meanwhile(done),
  ]);
  const intro = `Gets by id at a steady pace from a type of ${whole(records)} records, in ms, beside neighbours; in turn with them the same requests to a
server that does nothing, which shows what the machine itself is short of. The slowest query is \`${slowestQuery}\`.`;
  return `${intro}\n\n${table(head, rows)}`;
}

function meanwhile({
  queries,
  slowestQuery: slowest,
  creates,
  importSeconds,
}: Pick<NeighbourFigure, 'queries' | 'slowestQuery' | 'creates' | 'importSeconds'>): string {
  return [
    ...(queries === 0 ? [] : [`${whole(queries)} queries, the slowest in ${fixed(slowest / 1000, 1)} s`]),
    ...(importSeconds === null ? [] : [`an import in ${fixed(importSeconds, 1)} s`]),
    ...(creates === 0 ? [] : [`${whole(creates)} creates`]),
  ].join(', ');
}
