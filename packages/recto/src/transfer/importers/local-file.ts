import { realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** The path of a file below a folder; undefined where there is none, or it would be elsewhere, by its name or by a link. */
export async function localFile(folder: string, segments: readonly string[]): Promise<string | undefined> {
  const isWrong = (segment: string): boolean => segment === '' || segment === '.' || segment === '..';
  if (segments.length === 0 || segments.some((segment) => isWrong(segment) || /[/\\\0]/.test(segment)))
    return undefined;
  try {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, ...segments))]);
    return path.startsWith(root + sep) && (await stat(path)).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
