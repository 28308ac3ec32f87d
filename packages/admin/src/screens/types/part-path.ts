import { isInside, pathsTo } from '../../fields/field-path.ts';

/** The control that the part at a path is edited with. Where it has none, one around it. */
export function controlAt(root: HTMLElement, path: string): HTMLElement | undefined {
  const controls = [...root.querySelectorAll<HTMLElement>('[data-path]')];
  for (const part of pathsTo(path).toReversed()) {
    const found =
      controls.find(({ dataset }) => dataset.path === part) ??
      controls.find(({ dataset }) => isInside(dataset.path ?? '', part));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What people call the fields and blocks on the way to a path: `seo › title` for `fields[2].fields[0].max_length`; empty where there are none. */
export function placeName(definition: object, path: string): string {
  const names: string[] = [];
  let part: unknown = definition;
  for (const step of pathsTo(path)) {
    const key = /([^.[\]]+)\]?$/.exec(step)?.[1] ?? '';
    if (typeof part !== 'object' || part === null) break;
    part = Reflect.get(part, key);
    if (step.endsWith(']')) names.push(...nameOf(part));
  }
  return names.join(' › ');
}

function nameOf(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { label, name } = part as { readonly label?: unknown; readonly name?: unknown };
  return [label, name].filter((each): each is string => typeof each === 'string' && each !== '').slice(0, 1);
}
