import blankClient from '../templates/blank/client.ts.txt' with { type: 'text' };
import note from '../templates/blank/note.toml' with { type: 'text' };
import blogClient from '../templates/blog-from-wordpress/client.ts.txt' with { type: 'text' };
import redirect from '../templates/blog-from-wordpress/redirect.toml' with { type: 'text' };
import article from '../templates/magazine/article.toml' with { type: 'text' };
import author from '../templates/magazine/author.toml' with { type: 'text' };
import magazineClient from '../templates/magazine/client.ts.txt' with { type: 'text' };
import summary from '../templates/magazine/summary.ts.txt' with { type: 'text' };
import topic from '../templates/magazine/topic.toml' with { type: 'text' };
import writer from '../templates/magazine/writer.toml' with { type: 'text' };
import type { Template } from './template.ts';

const blank: Template = {
  name: 'blank',
  description: 'one small content type to begin with',
  contentTypes: { 'note.toml': note },
  roles: {},
  hooks: {},
  client: blankClient,
  scripts: {},
  readme: '',
};

const magazine: Template = {
  name: 'magazine',
  description: 'articles with authors and topics, drafts and a published state, a role and a hook',
  contentTypes: { 'article.toml': article, 'author.toml': author, 'topic.toml': topic },
  roles: { 'writer.toml': writer },
  hooks: { 'summary.ts': summary },
  client: magazineClient,
  scripts: {},
  readme: '',
};

const blogFromWordpress: Template = {
  name: 'blog-from-wordpress',
  description: 'posts, pages, categories and comments, to be filled from an export of WordPress',
  contentTypes: { 'redirect.toml': redirect },
  roles: {},
  hooks: {},
  client: blogClient,
  scripts: { import: 'recto import wordpress' },
  readme: `
## Bring the content in

In WordPress, choose Tools → Export → All content. Stop the service, then:

\`\`\`sh
npm run import -- site.xml --dry-run
npm run import -- site.xml
\`\`\`

The first prints what would be stored, and the second stores it. \`--uploads FOLDER\` takes the files from a copy of
\`wp-content/uploads\`, and \`--fetch\` loads them from the site.
`,
};

/** In the order in which they are offered; the first is the one without a choice. */
export const templates: readonly [Template, ...Template[]] = [blank, magazine, blogFromWordpress];

export const templateNames: readonly string[] = templates.map(({ name }) => name);

export const findTemplate = (name: string): Template | undefined => templates.find((each) => each.name === name);
