import { describe, expect, test } from 'bun:test';
import { definitionsOf } from '../../../../../test/support/definitions.ts';
import { anonymous, type Caller } from '../../base/caller.ts';
import { Problem } from '../../base/problem.ts';
import type { ContentType } from '../content-type.ts';
import type { ProtocolOptions, WriteMoment } from '../protocol.ts';
import { lockable } from './lockable.ts';
import { metaable } from './metaable.ts';
import { ownable } from './ownable.ts';
import { timestampable } from './timestampable.ts';

const now = '2026-11-21T10:00:00.000Z';
const id = '01990000-0000-7000-8000-000000000001';
const member: Caller = { kind: 'account', id, role: 'member', session: 's' };

function typeWith(...protocols: readonly unknown[]): ContentType {
  return definitionsOf({ singular: 'note', plural: 'notes', protocols, fields: [] }).get('note');
}

const moment = (caller: Caller): WriteMoment => ({ caller, now, id, changed: {} });

function problemOf(work: () => void): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('columns come after the declared fields, are kept by the service and cannot be set', () => {
  const type = definitionsOf({
    singular: 'note',
    plural: 'notes',
    protocols: ['timestampable', 'ownable', 'lockable', 'metaable'],
    fields: [{ name: 'title', field_type: 'text' }],
  }).get('note');
  expect(type.fields.map(({ name, origin, writable }) => [name, origin, writable])).toEqual([
    ['id', 'engine', false],
    ['title', 'declared', true],
    ['created_at', 'protocol', false],
    ['updated_at', 'protocol', false],
    ['created_by', 'protocol', false],
    ['updated_by', 'protocol', false],
    ['lock_version', 'protocol', false],
    ['__meta', 'protocol', true],
  ]);
});

test('timestampable keeps both times', () => {
  expect(timestampable.onCreate?.(moment(member), {})).toEqual({ created_at: now, updated_at: now });
  expect(timestampable.onUpdate?.(moment(member), {}, {})).toEqual({ updated_at: now });
});

test('ownable keeps who wrote, null for an anonymous caller', () => {
  expect(ownable.onCreate?.(moment(member), {})).toEqual({ created_by: id, updated_by: id });
  expect(ownable.onCreate?.(moment(anonymous), {})).toEqual({ created_by: null, updated_by: null });
  expect(ownable.onUpdate?.(moment(member), {}, {})).toEqual({ updated_by: id });
});

describe('lockable', () => {
  const update =
    (payload: Record<string, unknown>, options: ProtocolOptions = {}) =>
    () =>
      lockable.beforeUpdate?.({ payload }, { lock_version: 3 }, options);

  test('counts from 1', () => {
    expect(lockable.onCreate?.(moment(member), {})).toEqual({ lock_version: 1 });
    expect(lockable.onUpdate?.(moment(member), { lock_version: 3 }, {})).toEqual({ lock_version: 4 });
  });

  test('takes the current version, and none where none is required', () => {
    expect(update({ lock_version: 3 })).not.toThrow();
    expect(update({})).not.toThrow();
    expect(update({ lock_version: 3 }, { required: true })).not.toThrow();
  });

  test.each([1, 2, 4])('rejects version %p with 409, and does not show the current one', (sent) => {
    const problem = problemOf(update({ lock_version: sent }));
    expect(problem).toMatchObject({ status: 409, code: 'lock_version_mismatch' });
    expect(problem.message).not.toContain('3');
  });

  test.each([['3'], [3.5], [null], [true], [[3]]])('rejects %p with 422', (sent) => {
    const problem = problemOf(update({ lock_version: sent }));
    expect(problem.status).toBe(422);
    expect(problem.errors?.map(({ field, code }) => [field, code])).toEqual([['lock_version', 'wrong_type']]);
  });

  test('asks for a version where it is required', () => {
    const problem = problemOf(update({}, { required: true }));
    expect(problem.status).toBe(422);
    expect(problem.errors?.map(({ field, code }) => [field, code])).toEqual([['lock_version', 'required']]);
  });
});

test('metaable takes objects alone', () => {
  const [field] = metaable.fields({}, 'note');
  if (field === undefined) throw new Error('metaable has no column');
  expect(field.default).toEqual({});
  expect(field.type.parse({ a: [1] }, field)).toEqual({ ok: true, value: { a: [1] } });
  for (const value of [[], 'x', 1, true]) {
    expect(field.type.parse(value, field)).toMatchObject({ ok: false, code: 'wrong_type' });
  }
  expect(field.type.parse({ a: '\0' }, field)).toMatchObject({ ok: false, code: 'invalid_text' });
});

test('metaable keeps its column private where the option says so', () => {
  const isPrivate = (entry: unknown) => typeWith(entry).field.get('__meta')?.private;
  expect([isPrivate('metaable'), isPrivate({ name: 'metaable', private: true })]).toEqual([false, true]);
});

test('options stand beside the name or in a table of their own', () => {
  for (const entry of [
    { name: 'lockable', required: true },
    { name: 'lockable', options: { required: true } },
  ]) {
    expect(typeWith(entry).protocols.map(({ options }) => options)).toEqual([{ required: true }]);
  }
});
