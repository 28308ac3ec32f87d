import { newId } from '../../api/new-id.ts';
import type { BlockInfo, FieldInfo } from '../field.ts';
import { objectOf } from '../group/object-of.ts';

/** What the first member of such a text is, so that no other JSON is taken for blocks. */
const mark = 'recto-blocks-1';

/** Blocks as a text for the clipboard, which another record or installation reads. */
export const blocksText = (items: readonly unknown[]): string =>
  JSON.stringify({ recto: mark, blocks: items }, undefined, 2);

/** Why a text cannot become blocks of a field. */
export type BlockRefusal =
  | { readonly reason: 'no_blocks' }
  /** The field has no such kind of block. */
  | { readonly reason: 'unknown_block'; readonly block: string }
  /** The kind of block has no such field. */
  | { readonly reason: 'unknown_field'; readonly block: string; readonly field: string }
  /** The value is none of this kind of field. */
  | { readonly reason: 'other_value'; readonly block: string; readonly field: string };

export type ReadBlocks =
  | { readonly ok: true; readonly items: readonly unknown[] }
  | { readonly ok: false; readonly refusal: BlockRefusal };

class Refused extends Error {
  readonly refusal: BlockRefusal;

  constructor(refusal: BlockRefusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

const noBlocks: ReadBlocks = { ok: false, refusal: { reason: 'no_blocks' } };

/** More than anybody copies by hand. */
const longestText = 2_000_000;

/** The blocks of a text, as new ones of a field with these kinds: whole, or none of them. The service checks their values when they are saved. */
export function readBlocks(text: string, kinds: readonly BlockInfo[]): ReadBlocks {
  const blocks = text.length > longestText ? undefined : writtenBlocks(text);
  if (blocks === undefined || blocks.length === 0) return noBlocks;
  try {
    return { ok: true, items: blocks.map((block) => newBlock(block, kinds)) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

function writtenBlocks(text: string): readonly unknown[] | undefined {
  try {
    const { recto, blocks } = objectOf(JSON.parse(text));
    return recto === mark && Array.isArray(blocks) ? blocks : undefined;
  } catch {
    return undefined;
  }
}

function newBlock(item: unknown, kinds: readonly BlockInfo[]): unknown {
  const { block, id: _, ...members } = objectOf(item);
  const kind = kinds.find(({ name }) => name === block);
  if (kind === undefined) throw new Refused({ reason: 'unknown_block', block: String(block ?? '') });
  return { ...newMembers(members, kind.fields, kind.label), block: kind.name, id: newId() };
}

function newMembers(members: Readonly<Record<string, unknown>>, fields: readonly FieldInfo[], block: string): object {
  const entries = Object.entries(members).map(([name, value]): [string, unknown] => {
    const field = fields.find((each) => each.name === name);
    if (field === undefined) throw new Refused({ reason: 'unknown_field', block, field: name });
    return [name, newValue(value, field, block)];
  });
  return Object.fromEntries(entries);
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';

/** What a value of a field is in JSON; of the others, a text. */
const forms: Readonly<Record<string, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  integer: isNumber,
  float: isNumber,
  json: () => true,
  tags: Array.isArray,
  list: Array.isArray,
  blocks: Array.isArray,
  group: (value) => typeof value === 'object' && !Array.isArray(value),
};

function newValue(value: unknown, field: FieldInfo, block: string): unknown {
  if (value === null) return null;
  const isMany = field.many || field.options.multiple === true;
  const fits = isMany
    ? Array.isArray(value) && value.every(isText)
    : Object.hasOwn(forms, field.type)
      ? forms[field.type]?.(value)
      : isText(value);
  if (fits !== true) throw new Refused({ reason: 'other_value', block, field: field.label });
  if (field.type === 'group') return newMembers(objectOf(value), field.fields, block);
  if (!Array.isArray(value) || isMany) return value;
  if (field.type === 'blocks') return value.map((item) => newBlock(item, field.blocks));
  const { item } = field;
  if (field.type === 'list' && item !== undefined) return value.map((each) => newValue(each, item, block));
  return field.type === 'list' ? value.map((each) => newMembers(objectOf(each), field.fields, block)) : value;
}
