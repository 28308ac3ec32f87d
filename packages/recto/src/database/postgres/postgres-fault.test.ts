import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { postgresFault } from './postgres-fault.ts';

const serverError = (errno: string, more: Readonly<Record<string, string>> = {}): Error =>
  Object.assign(new SQL.PostgresError('from the server', { code: 'ERR_POSTGRES_SERVER_ERROR', errno }), {
    errno,
    ...more,
  });

describe('errors of the server', () => {
  test.each([
    ['40001', 'busy'],
    ['40P01', 'busy'],
    ['55P03', 'busy'],
    ['57014', 'busy'],
    ['53100', 'full'],
    ['53300', 'unreachable'],
    ['25006', 'read_only'],
    ['58030', 'damaged'],
    ['XX001', 'damaged'],
    ['08006', 'unreachable'],
    ['57P01', 'unreachable'],
    ['57P03', 'unreachable'],
    ['28P01', 'unreachable'],
  ] as const)('%s is %s', (state, kind) => {
    expect(postgresFault(serverError(state))).toEqual({ kind });
  });

  test.each(['42601', '42P01', '22P02', '23502', '22003'])('%s is a bug', (state) => {
    expect(postgresFault(serverError(state))).toBeUndefined();
  });
});

describe('a broken constraint', () => {
  test.each([
    ['Key (slug)=(a) already exists.', ['slug']],
    ['Key (slug, "sub-title")=(a, b) already exists.', ['slug', 'sub-title']],
    ['Key ("a""b")=(x)=(y) already exists.', ['a"b']],
    ['La clé « (slug)=(a) » existe déjà.', ['slug']],
    ['Key (slug)=(a) conflicts with existing key (slug)=(a).', ['slug']],
    ['', []],
  ] as const)('%s', (detail, columns) => {
    const fault = { kind: 'unique', table: 'cms_article', columns } as const;
    expect(postgresFault(serverError('23505', { table: 'cms_article', detail }))).toEqual(fault);
    expect(postgresFault(serverError('23P01', { table: 'cms_article', detail }))).toEqual(fault);
  });

  test('a reference', () => {
    expect(postgresFault(serverError('23503', { table: 'cms_article' }))).toEqual({
      kind: 'reference',
      table: 'cms_article',
    });
  });
});

describe('a connection', () => {
  test.each([
    'ERR_POSTGRES_CONNECTION_CLOSED',
    'ERR_POSTGRES_CONNECTION_TIMEOUT',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
  ])('%s', (code) => {
    expect(postgresFault(Object.assign(new Error('lost'), { code }))).toEqual({ kind: 'unreachable' });
  });

  test('an error of something else is none', () => {
    expect(postgresFault(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBeUndefined();
    expect(postgresFault(new Error('23505'))).toBeUndefined();
    expect(postgresFault('23505')).toBeUndefined();
  });
});
