import { describe, expect, test } from 'bun:test';
import type { Generations } from '../../database/database.ts';
import { type Answer, answerOf, namesTag } from './answer.ts';
import { AnswerCache } from './answer-cache.ts';

class Counters implements Generations {
  readonly numbers = new Map<string, number>();
  refresh(): void {}
  of(name: string): number {
    return this.numbers.get(name) ?? 0;
  }
  bump(name: string): void {
    this.numbers.set(name, this.of(name) + 1);
  }
}

const text = ({ body }: Answer): string => (typeof body === 'string' ? body : new TextDecoder().decode(body));

function cacheWith(options: { maxBytes?: number; ttlSeconds?: number } = {}) {
  const generations = new Counters();
  const cache = new AnswerCache(generations, { maxBytes: 100_000, ttlSeconds: 30, ...options });
  let made = 0;
  const make = () => answerOf(`{"made":${++made}}`);
  return { generations, cache, make, count: () => made };
}

describe('AnswerCache', () => {
  test('an equal request is answered with the same bytes and tag, and counted as a hit', async () => {
    const { cache, make } = cacheWith();
    const first = await cache.look('k', ['article'], make);
    const second = await cache.look('k', ['article'], make);
    expect([text(first), first.cacheStatus]).toEqual(['{"made":1}', 'recto; fwd=miss; stored']);
    expect([text(second), second.cacheStatus, second.etag]).toEqual(['{"made":1}', 'recto; hit', first.etag]);
    expect(cache.stats).toMatchObject({ hits: 1, misses: 1, entries: 1 });
  });

  test('a change of any type that took part ends the answer, a change of another does not', async () => {
    const { cache, make, generations, count } = cacheWith();
    await cache.look('k', ['article', 'author'], make);
    generations.bump('topic');
    await cache.look('k', ['article', 'author'], make);
    expect(count()).toBe(1);
    generations.bump('author');
    await cache.look('k', ['article', 'author'], make);
    expect(count()).toBe(2);
  });

  test('a change while the answer is being made is not hidden by it', async () => {
    const { cache, generations } = cacheWith();
    await cache.look('k', ['article'], () => {
      generations.bump('article');
      return answerOf('"old"');
    });
    expect(text(await cache.look('k', ['article'], () => answerOf('"new"')))).toBe('"new"');
  });

  test('what nobody asks for again is gone some time after it has expired', async () => {
    const { cache, make } = cacheWith({ maxBytes: 10_000_000, ttlSeconds: 0.02 });
    for (let number = 0; number < 1_000; number += 1) await cache.look(`once ${number}`, ['article'], make);
    // Longer than the time that they are kept for, and than that for which the cache takes the clock to stand still.
    await Bun.sleep(300);
    for (let number = 0; number < 500; number += 1) await cache.look(`later ${number}`, ['article'], make);
    expect(cache.stats.entries).toBeLessThanOrEqual(500);
    expect(cache.stats.misses).toBe(1_500);
  });

  test('equal misses at the same moment share one making', async () => {
    const { cache, count, make } = cacheWith();
    const slow = async () => {
      await Bun.sleep(5);
      return make();
    };
    const answers = await Promise.all(Array.from({ length: 10 }, () => cache.look('k', ['article'], slow)));
    expect(new Set(answers.map(text))).toEqual(new Set(['{"made":1}']));
    expect(count()).toBe(1);
  });

  test('one who asks after a change does not get an answer that was begun before it', async () => {
    const { cache, generations } = cacheWith();
    const gate = Promise.withResolvers<Answer>();
    const early = cache.look('k', ['article'], () => gate.promise);
    generations.bump('article');
    const late = cache.look('k', ['article'], async () => answerOf('"new"'));
    gate.resolve(answerOf('"old"'));
    expect([text(await early), text(await late)]).toEqual(['"old"', '"new"']);
    expect(text(await cache.look('k', ['article'], () => answerOf('"newer"')))).toBe('"new"');
  });

  test('a failure reaches all who wait and is not cached', async () => {
    const { cache } = cacheWith();
    const fail = () => Promise.reject(new Error('no'));
    const waiting = [cache.look('k', ['article'], fail), cache.look('k', ['article'], fail)];
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(text(await cache.look('k', ['article'], () => answerOf('1')))).toBe('1');
  });

  test('its size is bounded in bytes', async () => {
    const { cache } = cacheWith({ maxBytes: 20_000 });
    for (let number = 0; number < 1_000; number += 1) {
      await cache.look(`k${number}`, ['article'], () => answerOf('x'.repeat(500)));
    }
    expect(cache.stats.bytes).toBeLessThanOrEqual(20_000);
    expect(cache.stats.entries).toBeGreaterThan(10);
  });

  test('an answer larger than the whole cache is returned and not kept', async () => {
    const { cache } = cacheWith({ maxBytes: 1_000 });
    expect(text(await cache.look('k', ['article'], () => answerOf('x'.repeat(5_000))))).toHaveLength(5_000);
    expect(cache.stats.entries).toBe(0);
  });

  test('a lifetime of 0 remembers nothing', async () => {
    const { cache, make, count } = cacheWith({ ttlSeconds: 0 });
    await cache.look('k', ['article'], make);
    await cache.look('k', ['article'], make);
    expect(count()).toBe(2);
  });
});

describe('namesTag', () => {
  test.each([
    ['"a"', 'weak', true],
    ['"b", "a"', 'strong', true],
    ['W/"a"', 'weak', true],
    ['W/"a"', 'strong', false],
    ['*', 'strong', true],
    ['"b"', 'weak', false],
    ['a', 'weak', false],
    ['', 'weak', false],
  ] as const)('%s by %s comparison names "a": %s', (header, comparison, expected) => {
    expect(namesTag(header, '"a"', comparison)).toBe(expected);
  });
});
