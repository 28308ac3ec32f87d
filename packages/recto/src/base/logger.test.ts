import { expect, test } from 'bun:test';
import { createLogger, type LogLevel } from './logger.ts';

function logged(level: LogLevel, write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLogger(level, { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line));
}

test('a line is JSON with a level, an RFC 3339 time and the message, and nothing of the machine', () => {
  const [line] = logged('info', (log) => log.info({ port: 1 }, 'started'));
  expect(Object.keys(line ?? {}).sort()).toEqual(['level', 'msg', 'port', 'time']);
  expect(line).toMatchObject({ level: 'info', msg: 'started', port: 1 });
  expect(line?.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('lines below the level are left out', () => {
  const write = (log: ReturnType<typeof createLogger>) => {
    log.debug('d');
    log.warn('w');
    log.fatal('f');
  };
  expect(logged('warn', write).map((line) => line.msg)).toEqual(['w', 'f']);
  expect(logged('silent', write)).toEqual([]);
});

test('an error is logged with its stack and its causes', () => {
  const err = new Error('outer', { cause: new Error('inner') });
  const [line] = logged('info', (log) => log.error({ err }, 'failed'));
  expect(line?.err).toMatchObject({
    type: 'Error',
    message: 'outer',
    stack: expect.stringContaining('logger.test.ts'),
    cause: { type: 'Error', message: 'inner' },
  });
});

test.each([
  ['at the top', { password: 'hunter2' }],
  ['in headers', { request: { headers: { authorization: 'hunter2', cookie: 'hunter2' } } }],
  ['among other fields', { body: { access_token: 'hunter2', refresh_token: 'hunter2', user: 'ada' } }],
])('secrets are hidden %s', (_where, fields) => {
  const [line] = logged('info', (log) => log.info(fields, 'x'));
  expect(JSON.stringify(line)).not.toContain('hunter2');
  expect(JSON.stringify(line)).toContain('[hidden]');
});

test('hiding a secret leaves the given object as it was', () => {
  const fields = { token: 'hunter2', route: '/a' };
  const [line] = logged('info', (log) => log.info(fields, 'x'));
  expect(line).toMatchObject({ token: '[hidden]', route: '/a' });
  expect(fields.token).toBe('hunter2');
});

const circular: Record<string, unknown> = {};
circular.self = circular;
const looped = new Error('looped');
looped.cause = looped;

test.each([
  ['an error with a code', Object.assign(new Error('no'), { code: 'EACCES' }), { message: 'no', code: 'EACCES' }],
  ['several at once', new AggregateError([new Error('a'), 'b'], 'c'), { errors: [{ message: 'a' }, { message: 'b' }] }],
  ['a text', 'thrown', { type: 'string', message: 'thrown' }],
  ['an object with a message', { message: 'odd', circular }, { type: 'object', message: 'odd' }],
  ['an error that is its own cause', looped, { message: 'looped', cause: { message: 'looped' } }],
])('any thrown value is logged: %s', (_what, err, expected) => {
  const [line] = logged('info', (log) => log.error({ err }, 'failed'));
  expect(line?.err).toMatchObject(expected);
});

test('other properties of an error stay out of the log', () => {
  const err = Object.assign(new Error('no'), { parameters: ['hunter2'], circular });
  const [line] = logged('info', (log) => log.error({ err }, 'failed'));
  expect(JSON.stringify(line)).not.toContain('hunter2');
});
