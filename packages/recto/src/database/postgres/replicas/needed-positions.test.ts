import { describe, expect, test } from 'bun:test';
import { NeededPositions } from './needed-positions.ts';
import type { PrimaryState, WalPosition } from './wal-position.ts';

const at = (place: number, timeline = 1): WalPosition => ({ timeline, place: BigInt(place) });

/** Positions over generations that the test raises, and a database that answers when the test lets it. */
function setUp() {
  const numbers = new Map<string, number>();
  const questions: ((position: WalPosition | undefined) => void)[] = [];
  const ask = (): Promise<PrimaryState> =>
    new Promise((resolve, reject) =>
      questions.push((position) =>
        position === undefined ? reject(new Error('away')) : resolve({ system: '1', tables: '1/1', position }),
      ),
    );
  const needed = new NeededPositions({ of: (name) => numbers.get(name) ?? 0 }, ask);
  return {
    needed,
    questions,
    raise: (name: string) => numbers.set(name, (numbers.get(name) ?? 0) + 1),
    answer: async (position: WalPosition | undefined) => {
      questions.shift()?.(position);
      await Bun.sleep(0);
    },
  };
}

describe('how far a replica must be', () => {
  test('is asked once, and known until something changes', async () => {
    const { needed, questions, answer, raise } = setUp();
    expect(needed.of(['note'])).toBeUndefined();
    expect(needed.of(['note'])).toBeUndefined();
    expect(questions).toHaveLength(1);
    await answer(at(10));
    expect(needed.of(['note'])).toEqual(at(10));
    raise('note');
    expect(needed.of(['note'])).toBeUndefined();
    await answer(at(20));
    expect(needed.of(['note'])).toEqual(at(20));
    expect(questions).toHaveLength(0);
  });

  test('is not what was asked before a commit', async () => {
    const { needed, answer, raise } = setUp();
    needed.of(['note']);
    raise('note');
    await answer(at(10));
    expect(needed.of(['note'])).toBeUndefined();
    await answer(at(20));
    expect(needed.of(['note'])).toEqual(at(20));
  });

  test('of several names is the farthest, and a change of one leaves the others', async () => {
    const { needed, answer, raise } = setUp();
    needed.of(['note']);
    await answer(at(10));
    expect(needed.of(['tag', 'note'])).toBeUndefined();
    await answer(at(20));
    expect(needed.of(['tag', 'note'])).toEqual(at(20));
    raise('tag');
    expect(needed.of(['note'])).toEqual(at(10));
    expect(needed.of(['note', 'tag'])).toBeUndefined();
  });

  test('is asked again when the database did not answer', async () => {
    const { needed, answer } = setUp();
    needed.of(['note']);
    await answer(undefined);
    expect(needed.of(['note'])).toBeUndefined();
    await answer(at(10));
    expect(needed.of(['note'])).toEqual(at(10));
  });

  test('is asked anew for all names when another server has become the primary', async () => {
    const { needed, answer } = setUp();
    needed.of(['note']);
    await answer(at(90));
    needed.of(['tag']);
    await answer(at(80, 2));
    expect(needed.of(['tag'])).toEqual(at(80, 2));
    expect(needed.of(['note'])).toBeUndefined();
  });
});
