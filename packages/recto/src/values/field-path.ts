import { truncate } from '../base/truncate.ts';

/**
 * The path of a value in a request body, as errors name it, from a JSON Pointer (RFC 6901): `title`,
 * `items[2].id`, `meta["odd key"]`; empty for the body itself. The body decides whether `2` is an index or a name.
 */
export function fieldPath(pointer: string, body: unknown): string {
  let path = '';
  let value = body;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    path = Array.isArray(value) ? `${path}[${name}]` : childPath(path, name);
    value = childOf(value, name);
  }
  return path;
}

/** The path of an object's member, from the object's own path. */
export function childPath(parent: string, name: string): string {
  if (!plainName.test(name)) return `${parent}[${JSON.stringify(truncate(name, 64))}]`;
  return parent === '' ? name : `${parent}.${name}`;
}

const plainName = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

function childOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** The path of a part of a value, from the value's own path and the part's path from there: `[2].author` or `title`. */
export const joinPaths = (outer: string, inner: string): string =>
  outer === '' || inner === '' || inner.startsWith('[') ? `${outer}${inner}` : `${outer}.${inner}`;
