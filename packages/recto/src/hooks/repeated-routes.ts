import { readFileSync } from 'node:fs';
import type { DefinitionFault } from '../definition/definition-fault.ts';
import type { LoadedRoute } from './loaded-code.ts';
import { routeOperationId } from './route-operation-id.ts';
import { lineOf } from './source-line.ts';

/** The routes that answer what another one does (parameters have no names there), or that have its name in the OpenAPI document. */
export function repeatedRoutes(routes: readonly LoadedRoute[]): readonly DefinitionFault[] {
  const paths = new Map<string, string>();
  const ids = new Map<string, string>();
  return routes.flatMap((route): readonly DefinitionFault[] => {
    const { file, path, options } = route;
    const withPath = firstOf(paths, `${options.method} ${options.path.replaceAll(/\{[^}]*\}/g, '{}')}`, file);
    if (withPath !== file) {
      const place = lineOf(readFileSync(path, 'utf8'), 'path');
      const message = `${options.method} ${options.path} is the route of ${withPath}`;
      return [{ file, ...place, path: 'path', message, remedy: 'give each route a path of its own' }];
    }
    const id = routeOperationId(route);
    const withId = firstOf(ids, id, file);
    if (withId === file) return [];
    const message = `its name in the OpenAPI document is ${id}, as that of ${withId}`;
    return [{ file, path: '', message, remedy: 'give the file another name' }];
  });
}

function firstOf(known: Map<string, string>, key: string, file: string): string {
  const first = known.get(key) ?? file;
  known.set(key, first);
  return first;
}
