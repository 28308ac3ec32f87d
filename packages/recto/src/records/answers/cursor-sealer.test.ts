import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CursorSealer } from './cursor-sealer.ts';

const sealer = new CursorSealer('a secret of the tests, long enough');

test('opens what it sealed, for the same list, also in another process with the same secret', () => {
  const twin = new CursorSealer('a secret of the tests, long enough');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (list, content) => {
      const cursor = sealer.seal(list, content);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(twin.open(list, cursor)).toBe(content.toWellFormed());
      expect(sealer.seal(list, content)).toBe(cursor);
    }),
  );
});

test('opens nothing else', () => {
  const other = new CursorSealer('another secret of the tests, as long');
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat(), fc.integer({ min: 1, max: 255 }), (list, content, at, flip) => {
      const cursor = sealer.seal(list, content);
      expect(sealer.open(`${list}.`, cursor)).toBeUndefined();
      expect(other.open(list, cursor)).toBeUndefined();
      const bytes = Buffer.from(cursor, 'base64url');
      const place = at % bytes.length;
      bytes.writeUInt8((bytes[place] ?? 0) ^ flip, place);
      expect(sealer.open(list, bytes.toString('base64url'))).toBeUndefined();
      expect(sealer.open(list, bytes.subarray(0, at % bytes.length).toString('base64url'))).toBeUndefined();
    }),
  );
});

test('no cursor at all', () => {
  for (const text of ['', ' ', '*', '../', 'AAAA', 'A'.repeat(100_000)]) {
    expect(sealer.open('list', text)).toBeUndefined();
  }
});
