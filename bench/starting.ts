import { type ChildServer, residentMebibytes } from './child-server.ts';
import { article } from './content.ts';
import { median } from './paired-rounds.ts';
import { prepareRecto } from './recto-server.ts';

/** Start and memory with many content types. */
export interface StartFigures {
  readonly types: number;
  readonly fields: number;
  /** Seconds to the first answer; the tables are made. */
  readonly first: number;
  /** The same when they are there; median. */
  readonly later: number;
  /** Resident memory one second after a start; median. */
  readonly mebibytes: number;
}

/** `fields` over those of an article are texts. */
export async function measureStart(types: number, fields: number, starts: number): Promise<StartFigures> {
  const own = article.fields.filter(({ field_type }) => field_type !== 'relation');
  const more = Array.from({ length: Math.max(0, fields - own.length) }, (_, number) => ({
    name: `text_${number}`,
    field_type: 'text',
  }));
  const definitions = Array.from({ length: types }, (_, number) => ({
    ...article,
    name: `Type ${number}`,
    singular: `thing-${number}`,
    plural: `things-${number}`,
    fields: [...own, ...more],
  }));
  await using recto = await prepareRecto(definitions);
  const first = await startOnce(recto.start);
  const later = [];
  for (let round = 0; round < starts; round += 1) later.push(await startOnce(recto.start));
  return {
    types,
    fields: own.length + more.length,
    first: first.seconds,
    later: median(later.map(({ seconds }) => seconds)),
    mebibytes: median(later.map(({ mebibytes }) => mebibytes)),
  };
}

async function startOnce(start: () => Promise<ChildServer>): Promise<{ seconds: number; mebibytes: number }> {
  await using server = await start();
  await Bun.sleep(1_000);
  return { seconds: server.startSeconds, mebibytes: await residentMebibytes(server.pid) };
}
