import { dirname, join, normalize, relative } from 'node:path';
import { addressOf } from './contents.ts';

/** What pages lead to besides other pages. */
export interface Destinations {
  /** Whether there is such a file in the repository, and no folder. */
  isFile(path: string): boolean;
  /** Is called for each file that a page leads to; returns its address below the first page. Images stand beside the pages, as in `docs/`. */
  keep(path: string): string;
}

/** Files that readers of the site take as they are; all other sources are named without a link. */
const taken = /^(?:deploy\/|examples\/|compose\.yaml$|Dockerfile$|docs\/)/;

/** Documents outside of `docs/` that are pages of the site. */
const besides: Readonly<Record<string, string>> = {
  'CHANGELOG.md': 'docs/changelog.md',
  'CONTRIBUTING.md': 'docs/contributing.md',
};
export const sourcesBesides = Object.entries(besides).map(([source, page]) => ({ source, page }));

/** A document of the repository as a page of the site: its links lead to pages and files there, or to nothing. */
export function sitePage(source: string, text: string, destinations: Destinations): string {
  const page = besides[source] ?? source;
  const below = '../'.repeat(page.split('/').length - 2) || './';
  return withoutFences(text, (prose) =>
    prose.replace(
      /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (link, image: string, words: string, target: string) => {
        if (/^(?:https?:|mailto:|#)/.test(target)) return link;
        const [path = '', anchor] = target.split('#');
        const file = normalize(join(dirname(source), path));
        const other = besides[file] ?? file;
        const hash = anchor === undefined ? '' : `#${anchor}`;
        if (file === 'README.md') return `[${words}](${below}index.md)`;
        if (/^docs\/.*\.md$/.test(other)) return `[${words}](${addressIn(other, page)}${hash})`;
        if (!taken.test(file) || !destinations.isFile(file)) return words;
        return image === '!'
          ? `![${words}](${relativePath(file, page)})`
          : `<a href="${below}${destinations.keep(file)}" target="_self" download>${inlineCode(words)}</a>`;
      },
    ),
  );
}

const addressIn = (other: string, page: string): string =>
  relativePath(`${addressOf(other.replace(/\.md$/, ''))}.md`, page);

function relativePath(file: string, page: string): string {
  const path = relative(dirname(page), file);
  return path.startsWith('.') ? path : `./${path}`;
}

const inlineCode = (words: string): string => words.replace(/`([^`]*)`/g, '<code>$1</code>');

/** Languages of the documents that only their tests know, and what they are coloured as. */
const coloured: Readonly<Record<string, string>> = { rule: 'js', 'rule-fault': 'text' };

/** Changes what is outside of fenced blocks, and leaves of the first line of each the language alone: all else is for tests. */
function withoutFences(text: string, change: (prose: string) => string): string {
  return text
    .split(/^(```[^\n]*\n[\s\S]*?^```$)/m)
    .map((part, index) =>
      index % 2 === 1
        ? part.replace(/^```([\w-]*).*/, (_, language: string) => `\`\`\`${coloured[language] ?? language}`)
        : change(part),
    )
    .join('');
}
