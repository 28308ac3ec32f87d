import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { SqliteConnection } from './sqlite-connection.ts';

test('statements stay prepared up to so many and so much text, and each answers all the same', () => {
  const connection = new SqliteConnection(new Database(':memory:'));
  const ask = (number: number, length: number) =>
    connection.first({ sql: `SELECT ${number} AS n, ? AS v /*${'x'.repeat(length)}*/`, parameters: [number] });
  for (let number = 0; number < 10_000; number += 1) expect(ask(number, 0)).toEqual({ n: number, v: number });
  expect(connection.prepared.statements).toBe(5_000);
  for (let number = 0; number < 100; number += 1) expect(ask(number, 100_000)).toEqual({ n: number, v: number });
  const { statements, characters } = connection.prepared;
  expect(characters).toBeLessThanOrEqual(3_000_000);
  expect(statements).toBeLessThan(30);
  for (let number = 0; number < 100; number += 1) expect(ask(number, 100_000)).toEqual({ n: number, v: number });
  connection.close();
});

test('what comes only once is not kept', () => {
  const connection = new SqliteConnection(new Database(':memory:'));
  connection.run({ sql: 'CREATE TABLE names (name TEXT)', parameters: [], once: true });
  expect(connection.prepared.statements).toBe(0);
  expect(connection.run({ sql: 'INSERT INTO names VALUES (?)', parameters: ['Ada'], once: true })).toBe(1);
  expect(connection.prepared.statements).toBe(0);
  expect(connection.rows<{ name: string }>({ sql: 'SELECT name FROM names', parameters: [] })).toEqual([
    { name: 'Ada' },
  ]);
  expect(() => connection.run({ sql: 'CREATE TABLE names (name TEXT)', parameters: [], once: true })).toThrow('names');
  connection.close();
});
