import { describe, expect, test } from 'bun:test';
import type { BlockInfo, FieldInfo } from '../field.ts';
import { blocksText, readBlocks } from './block-clipboard.ts';

const field = (name: string, type: string, more: Partial<FieldInfo> = {}): FieldInfo => ({
  ...{ name, type, label: name, help: undefined, required: false, mustBeFilled: false, private: false },
  ...{ immutable: false, writable: true, options: {}, target: undefined, many: false, fields: [], item: undefined },
  blocks: [],
  ...more,
});
const text: BlockInfo = { name: 'text', label: 'Text', description: undefined, fields: [field('words', 'richtext')] };
const quote: BlockInfo = {
  ...{ name: 'quote', label: 'Quotation', description: undefined },
  fields: [
    field('words', 'text'),
    field('year', 'integer'),
    field('about', 'group', { fields: [field('name', 'text')] }),
    field('sources', 'list', { fields: [field('title', 'text')] }),
    field('lines', 'list', { item: field('', 'text') }),
    field('people', 'relation', { many: true }),
    field('inner', 'blocks', { blocks: [text] }),
  ],
};
const kinds = [text, quote];
const read = (...blocks: readonly unknown[]) => readBlocks(blocksText(blocks), kinds);
const refusal = (...blocks: readonly unknown[]) => {
  const found = read(...blocks);
  return found.ok ? undefined : found.refusal;
};

describe('blocks as a text', () => {
  test('become the same blocks, with ids of their own', () => {
    const inner = { block: 'text', id: 'c', words: '<p>b</p>' };
    const blocks = [
      { block: 'text', id: 'a', words: '<p>a</p>' },
      {
        ...{ block: 'quote', id: 'b', words: null, year: 1984, about: { name: 'Ada' } },
        ...{ sources: [{ title: 'One' }], lines: ['x'], people: ['p'], inner: [inner] },
      },
    ];
    const found = read(...blocks);
    if (!found.ok) throw new Error(found.refusal.reason);
    const withoutIds = (value: unknown) =>
      JSON.parse(JSON.stringify(value, (key, each) => (key === 'id' ? undefined : each)));
    expect(withoutIds(found.items)).toEqual(withoutIds(blocks));
    expect(JSON.stringify(found.items)).not.toMatch(/"id":"[abc]"/);
  });

  test.each([
    '',
    'words',
    '{}',
    '[]',
    '{"blocks":[{"block":"text"}]}',
    '{"recto":"recto-blocks-1","blocks":{}}',
    'null',
  ])('are none: %s', (other) => {
    expect(readBlocks(other, kinds)).toEqual({ ok: false, refusal: { reason: 'no_blocks' } });
  });

  test('are refused as a whole where the field does not have what they have', () => {
    const good = { block: 'text', words: '' };
    expect(refusal(good, { block: 'video' })).toEqual({ reason: 'unknown_block', block: 'video' });
    expect(refusal(good, 5)).toEqual({ reason: 'unknown_block', block: '' });
    expect(refusal({ block: 'constructor' })).toEqual({ reason: 'unknown_block', block: 'constructor' });
    expect(refusal({ block: 'text', colour: 'red' })).toEqual({
      reason: 'unknown_field',
      block: 'Text',
      field: 'colour',
    });
    expect(refusal({ block: 'quote', about: { age: 3 } })).toMatchObject({ reason: 'unknown_field', field: 'age' });
    expect(refusal({ block: 'quote', sources: [{ isbn: '1' }] })).toMatchObject({ field: 'isbn' });
    expect(refusal({ block: 'quote', inner: [{ block: 'quote' }] })).toEqual({
      reason: 'unknown_block',
      block: 'quote',
    });
  });

  test.each([
    ['words', 5],
    ['words', ['a']],
    ['year', '1984'],
    ['about', []],
    ['sources', 'x'],
    ['lines', [5]],
    ['people', 'p'],
    ['people', [5]],
    ['inner', {}],
  ])('are refused where a value is of another form: %s %p', (name, value) => {
    expect(refusal({ block: 'quote', [name]: value })).toMatchObject({ reason: 'other_value' });
  });
});
