import { readFileSync } from 'node:fs';
import { nearestName } from '../base/nearest-name.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { CodeErrors } from './code-errors.ts';
import type { LoadedCode } from './loaded-code.ts';
import { lineOf } from './source-line.ts';

/** Throws `CodeErrors` for hooks of types that there are not. */
export function checkTypes({ hooks }: LoadedCode, types: ContentTypes): void {
  const names = types.all.map(({ singular }) => singular);
  const faults = hooks.flatMap(({ file, path, type }) => {
    if (names.includes(type)) return [];
    const near = nearestName(type, names) ?? types.all.find(({ plural }) => plural === type)?.singular;
    const remedy = near === undefined ? `there are ${names.toSorted().join(', ')}` : `is it ${near}?`;
    const place = lineOf(readFileSync(path, 'utf8'), type);
    return [{ file, ...place, path: '', message: `there is no content type ${type}`, remedy }];
  });
  if (faults.length > 0) throw new CodeErrors(faults);
}
