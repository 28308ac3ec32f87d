import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { TransferRefused } from '../transfer-refused.ts';
import { longestRecord, recordTexts } from './record-texts.ts';

/** Reads a text that arrives in pieces of some bytes. */
async function read(text: string | Uint8Array, pieceSize = 7): Promise<readonly (readonly [string, number])[]> {
  const all = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const pieces = async function* () {
    for (let at = 0; at < all.length; at += pieceSize) yield all.subarray(at, at + pieceSize);
  };
  const found: [string, number][] = [];
  let bytes = 0;
  for await (const { text: record, line } of recordTexts(pieces(), 'posts.json', (size) => {
    bytes += size;
  })) {
    found.push([record.trim(), line]);
  }
  expect(bytes).toBe(all.length);
  return found;
}

describe('lines', () => {
  test.each([
    ['', []],
    ['\n \n', []],
    [
      '{"a":1}\n{"a":2}',
      [
        ['{"a":1}', 1],
        ['{"a":2}', 2],
      ],
    ],
    [
      '\r\n{"a":1}\r\n\n{"a":2}\r\n',
      [
        ['{"a":1}', 2],
        ['{"a":2}', 4],
      ],
    ],
    ['\ufeff{"a":1}\n', [['{"a":1}', 1]]],
  ] satisfies [string, [string, number][]][])('%j', async (text, expected) => {
    expect(await read(text)).toEqual(expected);
  });
});

describe('an array', () => {
  test.each([
    ['[]', []],
    [' [ \n ] ', []],
    ['[{"a":1}]', [['{"a":1}', 1]]],
    [
      '\n[\n{"a":[1,{"b":"]}"}]},\n\n{"a":"\\"],["}\n]\n',
      [
        ['{"a":[1,{"b":"]}"}]}', 3],
        ['{"a":"\\"],["}', 5],
      ],
    ],
    [
      '[1,"x",null]',
      [
        ['1', 1],
        ['"x"', 1],
        ['null', 1],
      ],
    ],
    [
      '[1,]',
      [
        ['1', 1],
        ['', 1],
      ],
    ],
    [
      '[{"a":"\\\\"},{}]',
      [
        ['{"a":"\\\\"}', 1],
        ['{}', 1],
      ],
    ],
  ] satisfies [string, [string, number][]][])('%j', async (text, expected) => {
    for (const size of [1, 2, 3, 1000]) expect(await read(text, size)).toEqual(expected);
  });

  test.each([
    ['[{"a":1}', 'has no end'],
    ['[', 'has no end'],
    ['[{"a":1}] {"b":2}', 'posts.json:1: there is something behind the array'],
    ['[1]\n[2]', 'there is something behind the array'],
  ])('%j is rejected', async (text, says) => {
    await expect(read(text)).rejects.toThrow(says);
  });

  test('gives what JSON.parse gives, in whatever pieces it arrives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(undefined, 2),
        async (values, size, indent) => {
          const found = await read(JSON.stringify(values, null, indent), size);
          expect(found.map(([text]) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)));
        },
      ),
    );
  });
});

test('bytes that are no UTF-8 are rejected with their line', async () => {
  const bytes = Buffer.concat([Buffer.from('{"a":1}\n{"a":2}\n'), Buffer.from([0xff, 0x0a])]);
  await expect(read(bytes)).rejects.toThrow(TransferRefused);
  await expect(read(bytes)).rejects.toThrow('no UTF-8');
  await expect(read(Buffer.from('{"a":"', 'utf16le'))).resolves.toHaveLength(1);
});

test.each(['{"a":"', '[{"a":"', '[[[['])(
  'a record that begins with %j and has no end takes no more than its limit',
  async (start) => {
    const piece = Buffer.alloc(1024 * 1024, start.endsWith('[') ? '[' : 'x');
    let given = 0;
    const pieces = async function* () {
      yield Buffer.from(start);
      for (;;) {
        given += piece.length;
        yield piece;
      }
    };
    const all = async () => {
      for await (const _ of recordTexts(pieces(), 'posts.json', () => {}));
    };
    await expect(all()).rejects.toThrow('posts.json:1: this record is too long.');
    expect(given).toBeLessThanOrEqual(longestRecord + 2 * piece.length);
  },
);
