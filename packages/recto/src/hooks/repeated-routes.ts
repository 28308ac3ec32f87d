import { readFileSync } from 'node:fs';
import type { DefinitionFault } from '../definition/definition-fault.ts';
import type { LoadedRoute } from './loaded-code.ts';
import { lineOf } from './source-line.ts';

/** The routes that answer what another one does: parameters have no names there. */
export function repeatedRoutes(routes: readonly LoadedRoute[]): readonly DefinitionFault[] {
  const known = new Map<string, string>();
  return routes.flatMap(({ file, path, options }) => {
    const key = `${options.method} ${options.path.replaceAll(/\{[^}]*\}/g, '{}')}`;
    const first = known.get(key);
    known.set(key, first ?? file);
    if (first === undefined) return [];
    const place = lineOf(readFileSync(path, 'utf8'), 'path');
    const message = `${options.method} ${options.path} is the route of ${first}`;
    return [{ file, ...place, path: 'path', message, remedy: 'give each route a path of its own' }];
  });
}
