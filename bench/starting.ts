import { type ChildServer, residentMebibytes } from './child-server.ts';
import { article, cachedArticle } from './content.ts';
import { median } from './paired-rounds.ts';
import { logProgress } from './progress.ts';
import { prepareRecto } from './recto-server.ts';

/** Start and memory with many content types. */
export interface StartFigures {
  readonly types: number;
  readonly fields: number;
  /** `RECTO_WORKERS`. */
  readonly workers: '1' | 'auto';
  /** Seconds to the first response, including the creation of tables. */
  readonly first: number;
  /** The same with existing tables; median. */
  readonly later: number;
  /** Resident memory of the process that was started one second after a start; median. */
  readonly mebibytes: number;
}

interface StartOptions {
  readonly types: number;
  readonly fields: number;
  readonly starts: number;
  readonly workers?: StartFigures['workers'];
}

export async function measureStart({ types, fields, starts, workers = '1' }: StartOptions): Promise<StartFigures> {
  await using recto = await prepareRecto(manyTypes(types, fields));
  const start = () => recto.start({ RECTO_WORKERS: workers });
  logProgress(
    `${types} types of ${fields} fields${workers === 'auto' ? ', a worker for each core' : ''}: ${starts + 1} starts`,
  );
  const first = await startOnce(start);
  const later = [];
  for (let round = 0; round < starts; round += 1) later.push(await startOnce(start));
  return {
    types,
    fields,
    workers,
    first: first.seconds,
    later: median(later.map(({ seconds }) => seconds)),
    mebibytes: median(later.map(({ mebibytes }) => mebibytes)),
  };
}

const own = article.fields.filter(({ field_type }) => field_type !== 'relation');

/** `things-0`, `things-1` and so on, which are articles with text fields up to so many; every second one has a cache. */
export function manyTypes(types: number, fields: number) {
  const texts = Array.from({ length: fields - own.length }, (_, number) => ({
    name: `text_${number}`,
    field_type: 'text',
  }));
  return Array.from({ length: types }, (_, number) => ({
    ...(number % 2 === 0 ? cachedArticle : article),
    name: `Type ${number}`,
    singular: `thing-${number}`,
    plural: `things-${number}`,
    fields: [...own, ...texts],
  }));
}

async function startOnce(start: () => Promise<ChildServer>): Promise<{ seconds: number; mebibytes: number }> {
  await using server = await start();
  await Bun.sleep(1_000);
  return { seconds: server.startSeconds, mebibytes: await residentMebibytes(server.pid) };
}
