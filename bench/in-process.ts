import type { TestService } from '../test/support/service.ts';
import { median } from './paired-rounds.ts';

/** Requests that make one time. */
const requests = 200;

/** In a ratio, both sides take turns after so many: what else the machine does changes within a fraction of a second. */
const turn = 20;

/** Who asks, and what: the address of a request by its number, which differs from one to the next, so that no answer is remembered. */
export interface Side {
  readonly service: TestService;
  readonly as: string;
  readonly path: (number: number) => string;
}

/** Microseconds of processor time that a request takes, on average of those numbered from `first`. */
export async function processorTime({ service, as, path }: Side, first = 0, count = requests): Promise<number> {
  const headers = { Authorization: `Bearer ${service.tokenOf(as)}` };
  const begin = process.cpuUsage();
  for (let number = first; number < first + count; number += 1) {
    const response = await service.app.fetch(new Request(`http://recto.test${path(number)}`, { headers }));
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${path(number)} as ${as}: ${response.status}`);
  }
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / count;
}

export interface Ratio {
  readonly ratio: number;
  /** Of the first side. */
  readonly microseconds: number;
}

/**
 * How many of the second's requests the first answers in the same time: the median of the rounds, after two that do not count. Both are
 * asked in turn, and what is compared is the processor time, which other work on the machine changes least.
 */
export async function ratio(one: Side, other: Side, rounds: number): Promise<Ratio> {
  const ratios: number[] = [];
  const own: number[] = [];
  for (let round = -2; round < rounds; round += 1) {
    let [a, b] = [0, 0];
    for (let number = 0; number < requests; number += turn) {
      // Who is first changes.
      const isFirst = (round + number / turn) % 2 === 0;
      const first = await processorTime(isFirst ? one : other, number, turn);
      const second = await processorTime(isFirst ? other : one, number, turn);
      a += ((isFirst ? first : second) * turn) / requests;
      b += ((isFirst ? second : first) * turn) / requests;
    }
    if (round < 0) continue;
    ratios.push(b / a);
    own.push(a);
  }
  return { ratio: median(ratios), microseconds: median(own) };
}

export const print = (line: string) => process.stdout.write(`${line}\n`);

export const shown = ({ ratio: of, microseconds }: Ratio): string =>
  `${of.toFixed(2)} (${microseconds.toFixed(0)} µs of processor time)`;
