import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './bundle.ts';

const pages = join(root, 'docs');

/**
 * Writes the pages of `docs/` into a folder of the package: messages of the command name them. Pictures and the rest of the repository
 * are not there, so links to them become text.
 */
export function writeDocs(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const page of globSync('**/*.md', { cwd: pages })) {
    const text = readFileSync(join(pages, page), 'utf8');
    mkdirSync(dirname(join(folder, page)), { recursive: true });
    writeFileSync(join(folder, page), withoutForeignLinks(text, page));
  }
}

const withoutForeignLinks = (text: string, page: string): string =>
  text.replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (link, label: string, target: string) =>
    isInside(target, page) ? link : label,
  );

/** Whether an address leads to a page of the documentation, or to another host. */
function isInside(target: string, page: string): boolean {
  if (/^(?:https?:|mailto:|#)/.test(target)) return true;
  const path = join(dirname(page), target.replace(/#.*$/, ''));
  return path.endsWith('.md') && !path.startsWith('..');
}
