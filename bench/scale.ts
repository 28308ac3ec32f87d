import { join } from 'node:path';
import type { ChildServer } from './child-server.ts';
import { article, articleId, author, text, topic, writeContent } from './content.ts';
import { type Measured, measure, median, middle, type RoundOptions } from './paired-rounds.ts';
import { prepareRecto } from './recto-server.ts';

/** One operation at one number of records. */
export interface ScaleFigure {
  readonly operation: string;
  readonly records: number;
  readonly measured: Measured;
}

const list = '/api/v1/cms/articles';

const operations: readonly { readonly operation: string; readonly path: string; readonly body?: string }[] = [
  { operation: 'list, first page', path: list },
  { operation: 'list, first page, without total', path: `${list}?skip_total=true` },
  { operation: 'list, page 1,000 of 10', path: `${list}?page=1000&page_size=10&skip_total=true` },
  { operation: 'list, filtered', path: `${list}?featured=true&skip_total=true` },
  { operation: 'list, sorted by an indexed field', path: `${list}?sort=reads:desc&skip_total=true` },
  { operation: 'list, sorted by a field without index', path: `${list}?sort=rating:desc&skip_total=true` },
  // The first words of a title, the last of them not written to its end.
  {
    operation: 'list, searched',
    path: `${list}?search=${encodeURIComponent(text(5, 2).slice(0, -2))}&skip_total=true`,
  },
  { operation: 'list, searched for one word', path: `${list}?search=${text(5, 1)}&skip_total=true` },
  { operation: 'get', path: `${list}/${articleId(5)}` },
  { operation: 'create', path: list, body: JSON.stringify({ title: 'One more', reads: 3 }) },
];

/** How long each operation takes as the number of records grows. One client at a time: latency is what is asked for. */
export async function measureScale(records: number, options: RoundOptions): Promise<readonly ScaleFigure[]> {
  await using recto = await prepareRecto([author, topic, article]);
  const files = join(recto.folder, 'export');
  await writeContent(files, records);
  await recto.import(files);
  await using ours = await recto.start();
  const figures: ScaleFigure[] = [];
  for (const { operation, path, body } of operations) {
    figures.push({ operation, records, measured: await rounds(operation, ours, path, body, options) });
  }
  const last = await lastPage(ours, records);
  figures.push({
    operation: 'list, one of the last pages, by cursor',
    records,
    measured: await rounds('by cursor', ours, last, undefined, options),
  });
  return figures;
}

async function rounds(
  operation: string,
  server: ChildServer,
  path: string,
  body: string | undefined,
  { rounds, seconds }: RoundOptions,
): Promise<Measured> {
  const measured: Measured[] = [];
  const sent = body === undefined ? {} : { body };
  for (let round = 0; round < rounds; round += 1) {
    measured.push(await measure(operation, { server, path, ...sent }, { seconds, connections: 1 }));
  }
  return middle(measured);
}

/** The path of a page near the end, by the cursor that the page before it gives. */
async function lastPage(server: ChildServer, records: number): Promise<string> {
  const pages = Math.floor((records * 0.85) / 20);
  const response = await fetch(`${server.url}${list}?page=${pages}&skip_total=true`);
  const { next_cursor } = (await response.json()) as { next_cursor: string };
  return `${list}?cursor=${next_cursor}&skip_total=true`;
}

/** Median p50 of an operation at the greatest number of records over that at the least. */
export function growth(figures: readonly ScaleFigure[], operation: string): number {
  const sizes = figures.filter((figure) => figure.operation === operation).sort((a, b) => a.records - b.records);
  return (sizes.at(-1)?.measured.p50 ?? Number.NaN) / median(sizes.slice(0, 1).map(({ measured }) => measured.p50));
}
