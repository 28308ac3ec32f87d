import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { definitionsOf } from '../../../../../test/support/definitions.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { harmless, unmarked } from './csv-cells.ts';
import { type CsvEncoding, encodingOf } from './csv-encoding.ts';
import { planFaults, readPlan } from './csv-plan.ts';
import { csvRecords } from './csv-records.ts';
import { csvRows } from './csv-rows.ts';
import { isoTime, plainNumber } from './csv-values.ts';
import { detectPlan } from './detect-plan.ts';

const types = definitionsOf({
  singular: 'book',
  plural: 'books',
  fields: [
    { name: 'title', field_type: 'text', required: true, label: 'Name of the book' },
    { name: 'code', field_type: 'text', unique: true },
    { name: 'pages', field_type: 'integer' },
    { name: 'price', field_type: 'decimal' },
    { name: 'out_at', field_type: 'date' },
    { name: 'read_at', field_type: 'datetime' },
    { name: 'bound', field_type: 'boolean' },
    { name: 'facts', field_type: 'json' },
    { name: 'secret', field_type: 'password' },
    { name: 'state', field_type: 'enum', enum_values: ['a', 'b'], default: 'a', required: true },
    { name: 'parts', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'books' } },
  ],
});
const type = types.get('book');

const utf16 = (text: string, isLittle: boolean): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le');
  return isLittle ? bytes : bytes.swap16();
};
/** A file that arrives in pieces of a few bytes. */
const fileOf = (content: string | Uint8Array, size = 7) => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    name: 'books.csv',
    size: bytes.length,
    async *bytes() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
};

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of source) found.push(each);
  return found;
}

/** The records of a file by the plan that is found for it. */
async function recordsOf(content: string | Uint8Array) {
  const file = fileOf(content);
  const plan = await detectPlan(file, type);
  const records = await all(csvRecords(file, type, plan, () => undefined));
  return { plan, records: records.map(({ text, errors }) => errors ?? JSON.parse(text)) };
}

describe('the encoding', () => {
  const cases: readonly (readonly [string, Uint8Array, CsvEncoding])[] = [
    ['UTF-8', Buffer.from('title\nMärz'), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from('\ufefftitle\nMärz'), 'utf-8'],
    ['UTF-16 LE with a mark', utf16('\ufefftitle\nMärz', true), 'utf-16le'],
    ['UTF-16 BE with a mark', utf16('\ufefftitle\nMärz', false), 'utf-16be'],
    ['UTF-16 LE', utf16('title\nMärz', true), 'utf-16le'],
    ['UTF-16 BE', utf16('title\nMärz', false), 'utf-16be'],
    ['Windows-1252', Buffer.from('title\nM\xe4rz', 'latin1'), 'windows-1252'],
  ];
  for (const [name, bytes, encoding] of cases) {
    test(`${name} is found`, async () => {
      expect(await encodingOf(fileOf(bytes, 100))).toBe(encoding);
      const { plan, records } = await recordsOf(bytes);
      expect([plan.encoding, records]).toEqual([encoding, [{ title: 'März' }]]);
    });
  }
});

describe('a plan', () => {
  test('finds the fields of columns by their names and labels, and how values are written', async () => {
    const { plan, records } = await recordsOf(
      [
        'Name of the Book;Pages;PRICE;out at;bound;Shelf;facts;parts',
        'One;1.200;"1.299,50";21.11.2026;ja;A1;"{""a"":1}";x|y',
        'Two;;12,5;1.2.2026;nein;;;',
      ].join('\r\n'),
    );
    expect(plan).toEqual({
      ...{ encoding: 'utf-8', separator: ';', decimal: ',', dates: 'day_first', key: null, existing: 'keep' },
      columns: [
        { column: 'Name of the Book', field: 'title' },
        { column: 'Pages', field: 'pages' },
        { column: 'PRICE', field: 'price' },
        { column: 'out at', field: 'out_at' },
        { column: 'bound', field: 'bound' },
        { column: 'Shelf', field: null },
        { column: 'facts', field: 'facts' },
        { column: 'parts', field: 'parts' },
      ],
    });
    const empty = { pages: null, facts: null, parts: [] };
    expect(records).toEqual([
      {
        ...{ title: 'One', pages: 1200, price: '1299.50', out_at: '2026-11-21', bound: true },
        ...{ facts: { a: 1 }, parts: ['x', 'y'] },
      },
      { title: 'Two', price: '12.5', out_at: '2026-02-01', bound: false, ...empty },
    ]);
  });

  test('matches by the id where there is one', async () => {
    expect((await recordsOf('id,title\n1,One')).plan.key).toBe('id');
  });

  test('takes tabs, and fills no field of a password', async () => {
    const { plan } = await recordsOf('title\tsecret\tTitle\n');
    expect(plan.separator).toBe('\t');
    expect(plan.columns.map(({ field }) => field)).toEqual(['title', null, null]);
  });

  test('takes the month first where the second number is a day', async () => {
    expect((await recordsOf('title,out_at\na,11/21/2026')).plan.dates).toBe('month_first');
    expect((await recordsOf('title,out_at\na,2026-11-21')).plan.dates).toBe('iso');
  });

  test('names what is wrong in it', async () => {
    const { plan } = await recordsOf('title,code\na,b');
    expect(planFaults(plan, type)).toEqual([]);
    expect(planFaults({ ...plan, key: 'code', existing: 'update' }, type)).toEqual([]);
    const wrong = [
      { ...plan, key: 'title' },
      { ...plan, key: 'id' },
      { ...plan, existing: 'update' },
      { ...plan, separator: 'x' },
      { ...plan, columns: [{ column: 'title', field: 'nothing' }] },
      {
        ...plan,
        columns: [
          { column: 'a', field: 'title' },
          { column: 'b', field: 'title' },
        ],
      },
    ];
    for (const each of wrong) expect(planFaults(each, type)).not.toEqual([]);
    expect(() => readPlan('{', 'plan.json', type)).toThrow(TransferRefused);
    expect(() => readPlan(JSON.stringify(wrong[0]), 'plan.json', type)).toThrow('key: Must be one of id, code.');
  });

  test('is refused for a file with other columns, and none is found for an empty file', async () => {
    const { plan } = await recordsOf('title,code\na,b');
    const other = csvRecords(fileOf('title,pages\na,1'), type, plan, () => undefined);
    expect(all(other)).rejects.toThrow('books.csv has other columns than its plan');
    expect(recordsOf('')).rejects.toThrow('books.csv is empty');
  });
});

describe('rows', () => {
  const form = { encoding: 'utf-8', separator: ',' } as const;

  test('have the line on which they begin', async () => {
    const rows = await all(csvRows(fileOf('a,b\r\n"1\r\n2",x\r\n\r\n3,"4\n5\n6"\n7,8'), form));
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 5, 8]);
  });

  test('keep an empty text and nothing apart', async () => {
    const [, row] = await all(csvRows(fileOf('a,b\n"",'), form));
    expect(row?.cells).toEqual([
      { text: '', isQuoted: true },
      { text: '', isQuoted: false },
    ]);
    expect((await recordsOf('title,code,state\n"",,\nx,"",b')).records).toEqual([
      { title: '', code: null },
      { title: 'x', code: '', state: 'b' },
    ]);
  });

  test('that are broken are refused with their line', async () => {
    expect(all(csvRows(fileOf('a,b\n1,"2'), form))).rejects.toThrow('books.csv: Quote Not Closed');
    const { records } = await recordsOf('title,pages,bound,facts\na,x,maybe,{\nb,1');
    expect(records).toEqual([
      [
        'pages: “x” is no number.',
        'bound: “maybe” is neither yes nor no.',
        expect.stringContaining('facts: this is no JSON'),
      ],
      ['this line has 2 cells, and the first one 4.'],
    ]);
  });
});

describe('values', () => {
  test('of cells that were made harmless are what they were', () => {
    const signs = fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '＝', 'a', ' ');
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: signs })), (text) => {
        expect(unmarked(harmless(text))).toBe(text);
        expect(harmless(text)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
      }),
    );
  });

  const numbers: readonly (readonly [string, '.' | ',', string | undefined])[] = [
    ['1234.5', '.', '1234.5'],
    ['1,234.5', '.', '1234.5'],
    ['1,23', '.', undefined],
    ['-1.234,5', ',', '-1234.5'],
    ["1'234,5", ',', '1234.5'],
    ['1 234', ',', '1234'],
    ['+7', '.', '7'],
    ['1e21', '.', '1e21'],
    ['1.5.2', '.', undefined],
    ['', '.', undefined],
  ];
  for (const [text, decimal, number] of numbers) {
    test(`${text} with ${decimal} is ${number}`, () => expect(plainNumber(text, decimal)).toBe(number));
  }

  test('of times have a zone', () => {
    expect(isoTime('21.11.2026 9:30', 'day_first', true)).toBe('2026-11-21T09:30:00Z');
    expect(isoTime('2026-11-21', 'iso', true)).toBe('2026-11-21T00:00:00Z');
    expect(isoTime('2026-11-21T10:00:00.000Z', 'day_first', true)).toBe('2026-11-21T10:00:00.000Z');
    expect(isoTime('2026-11-21 10:00:00+02:00', 'iso', true)).toBe('2026-11-21T10:00:00+02:00');
    expect(isoTime('soon', 'day_first', true)).toBe('soon');
  });
});
