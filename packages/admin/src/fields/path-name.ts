import { readableName } from '../api/readable-name.ts';
import type { FieldInfo } from './field.ts';
import { pathsTo } from './field-path.ts';

/** A path as people read it: the labels on the way there, and the places of items, counted from 1: `Body › 3 › Author`. */
export function pathName(fields: readonly FieldInfo[], path: string): string {
  const names: string[] = [];
  let before = '';
  let known = fields;
  for (const step of pathsTo(path)) {
    const last = step.slice(before.length).replace(/^\./, '');
    before = step;
    const index = /^\[(\d+)\]$/.exec(last)?.[1];
    if (index !== undefined) {
      names.push(String(Number(index) + 1));
      continue;
    }
    const name = last.startsWith('["') ? String(JSON.parse(last.slice(1, -1))) : last;
    const field = known.find((one) => one.name === name);
    names.push(field?.label ?? readableName(name));
    known = field === undefined ? [] : inside(field);
  }
  return names.join(' › ');
}

/** The fields that may stand inside: of a list, those of its item; of blocks, those of all kinds. */
const inside = ({ fields, item, blocks }: FieldInfo): readonly FieldInfo[] => [
  ...fields,
  ...(item === undefined ? [] : inside(item)),
  ...blocks.flatMap((block) => block.fields),
];
