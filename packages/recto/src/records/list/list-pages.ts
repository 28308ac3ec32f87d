import { Problem } from '../../base/problem.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Answer } from '../answers/answer.ts';

/** A record as a list shows it. */
export type ListedRecord = Readonly<Record<string, JsonValue>>;

/** What a list answers. */
interface ListAnswer {
  readonly items: readonly ListedRecord[];
  readonly next_cursor?: string;
}

/** Records on a page, while these are within the limits of an answer. */
const usualSize = 100;

/**
 * The records of a list, a page at a time, each page behind the place where the one before ended. `search` has neither page nor cursor.
 * Pages that would be too large for an answer are read in smaller ones.
 */
export async function* listPages(
  read: (search: string, size: number) => Promise<Answer>,
  search: string,
): AsyncGenerator<readonly ListedRecord[], void, undefined> {
  const parameters = new URLSearchParams(search);
  // What is counted decides whether there is a next page: records that are removed meanwhile would end the list too early.
  parameters.set('skip_total', 'true');
  for (let size = usualSize, cursor: string | undefined = ''; cursor !== undefined; ) {
    if (cursor !== '') parameters.set('cursor', cursor);
    const page = await readWithin(read, parameters.toString(), size);
    size = page.size;
    yield page.answer.items;
    cursor = page.answer.next_cursor;
  }
}

async function readWithin(
  read: (search: string, size: number) => Promise<Answer>,
  search: string,
  most: number,
): Promise<{ readonly answer: ListAnswer; readonly size: number }> {
  for (let size = most; ; size = Math.floor(size / 4)) {
    try {
      const { body } = await read(search, size);
      // What the lister made.
      return { answer: JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)), size };
    } catch (error) {
      const isTooLarge = error instanceof Problem && error.code === 'answer_too_large';
      if (!isTooLarge || size < 4) throw error;
    }
  }
}
