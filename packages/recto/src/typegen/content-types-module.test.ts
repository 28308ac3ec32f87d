import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withBuiltIns } from '../../../../test/support/definitions.ts';
import { magazine } from '../../../../test/support/magazine.ts';
import { fieldTypes } from '../definition/fields/index.ts';
import { contentTypesModule } from './content-types-module.ts';

const author = {
  name: 'author',
  field_type: 'relation',
  relation: { relation_type: 'many_to_one', target: 'authors' },
};

const options: Readonly<Record<string, object>> = {
  enum: { enum_values: ['one "quoted"', 'back\\slash', 'new\nline'] },
  relation: { relation: { relation_type: 'many_to_one', target: 'many-kinds' } },
  group: {
    fields: [
      { name: 'shown', field_type: 'text', required: true },
      { name: 'hidden', field_type: 'text', private: true },
    ],
  },
  list: { item: { field_type: 'decimal' } },
  blocks: {
    blocks: [
      { name: 'quote', fields: [author, { name: 'text', field_type: 'text', required: true }] },
      { name: 'photo', fields: [{ name: 'odd-name', field_type: 'integer' }] },
    ],
  },
};
/** One field of each type, and names and texts that need escaping. */
const odd = [
  {
    singular: 'many-kind',
    plural: 'many-kinds',
    description: 'Ends a comment */ export const broken = 1;',
    protocols: ['timestampable', 'ownable', 'lockable', 'metaable'],
    fields: [
      ...Object.keys(fieldTypes).map((name) => ({ name: `a-${name}`, field_type: name, ...options[name] })),
      { name: 'class', field_type: 'text', required: true, description: 'Two\nlines.' },
      { name: 'others', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'many-kinds' } },
    ],
  },
];

/** Types named like TypeScript's own, or like those generated for another type. */
const clashes = ['record', 'string', 'array', 'comment-thread', 'article-list', 'article-admin', 'article_list'].map(
  (singular) => ({
    singular,
    plural: `${singular}-plural`,
    fields: [{ name: 'text', field_type: 'text' }],
  }),
);

const use = `
import type * as Content from './content.ts';

const author: Content.Author = {
  id: 'a', name: 'Ines', slug: null, bio: null, portrait: null, articles: ['b'], created_at: null, updated_at: null,
};
const article: Content.ArticleCreate = { title: 'A', author: 'a', topics: ['t'], editor_note: 'n' };
const change: Content.ArticleUpdate = { lock_version: 2 };
const thread = (comment: Content.CommentThread): string | undefined => comment.replies[0]?.id;
export function names(list: Content.ArticleList): (string | null)[] {
  return list.items.map(({ author }) => (author === null || typeof author === 'string' ? author : author.name));
}
export const note = (record: Content.ArticleAdmin): string | null => record.editor_note;
export const email = (record: Content.ArticleAdmin): string | null =>
  record.author === null || typeof record.author === 'string' ? null : record.author.email;
export const big: Content.ManyKindCreate = { class: 'c', 'a-bigint': '9007199254740993', 'a-decimal': '1.5', 'a-password': 'long enough' };
export const settings = (record: Content.SiteSettings): string => record.id;
export function blockNames(record: Content.ManyKind): (string | null)[] {
  return (record['a-blocks'] ?? []).map((item) => {
    if (item.block === 'photo') return String(item['odd-name']);
    const { author, text } = item;
    return author === null || typeof author === 'string' ? text : author.name;
  });
}
export const inner: Content.ManyKindCreate = {
  class: 'c', 'a-group': { shown: 's', hidden: 'h' }, 'a-list': ['1.5'], 'a-blocks': [{ block: 'quote', text: 't' }, { block: 'photo' }],
};
export const score = (record: Content.ManyKindAdmin): string | null => record['a-group']?.hidden ?? null;
// @ts-expect-error What is private inside a field is not public.
export const inside = (record: Content.ManyKind) => record['a-group']?.hidden;
// @ts-expect-error A quote has a text.
export const textless: Content.ManyKindCreate = { class: 'c', 'a-blocks': [{ block: 'quote' }] };
// @ts-expect-error There is no such block.
export const strange: Content.ManyKindCreate = { class: 'c', 'a-blocks': [{ block: 'film' }] };
export const byline = (post: Content.Post, admin: Content.PostAdmin): string | null | undefined =>
  post.author?.display_name ?? admin.author?.website;
export const categories = (post: Content.Post): (string | null)[] =>
  post.categories.map((category) => (typeof category === 'string' ? category : category.slug));
// @ts-expect-error The title is required.
export const untitled: Content.ArticleCreate = { summary: 's' };
// @ts-expect-error A password is never returned.
export const password = (record: Content.ManyKindAdmin) => record['a-password'];
// @ts-expect-error A private field is not public.
export const hidden = (record: Content.Article) => record.editor_note;
// @ts-expect-error The list does not return the body.
export const body = (list: Content.ArticleList) => list.items[0]?.body;
// @ts-expect-error A status is one of two.
export const status: Content.ArticleCreate = { title: 'A', status: 'gone' };
// @ts-expect-error The id cannot be written.
export const own: Content.ArticleCreate = { title: 'A', id: 'x' };
export { article, author, change, thread };
`;

const types = async () => withBuiltIns(...(await magazine()), ...odd);
const clashing = async () => withBuiltIns(...(await magazine()), ...clashes);

describe('the module', () => {
  test('compiles under strict, alone and where it is used', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'recto-types-'));
    try {
      writeFileSync(join(folder, 'content.ts'), contentTypesModule(await types()));
      writeFileSync(join(folder, 'clashes.ts'), contentTypesModule(await clashing()));
      writeFileSync(join(folder, 'use.ts'), use);
      const compiler = join(import.meta.dir, '../../../../node_modules/.bin/tsc');
      const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
      const modules = ['--module', 'esnext', '--moduleResolution', 'bundler', '--allowImportingTsExtensions'];
      const child = Bun.spawn([compiler, ...strict, ...modules, '--types', '', '--noEmit', 'use.ts', 'clashes.ts'], {
        cwd: folder,
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [out, exitCode] = await Promise.all([new Response(child.stdout).text(), child.exited]);
      expect({ out, exitCode }).toEqual({ out: '', exitCode: 0 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 600_000);

  test('is the same whatever the order of the definitions', async () => {
    const definitions = [...(await magazine()), ...odd, ...clashes];
    const reversed = withBuiltIns(...definitions.toReversed());
    expect(contentTypesModule(reversed)).toBe(contentTypesModule(withBuiltIns(...definitions)));
  });

  test('exports every name once', async () => {
    const names = [...contentTypesModule(await clashing()).matchAll(/^export interface (\w+)/gm)].map(
      ([, name]) => name,
    );
    expect(names.length).toBeGreaterThan(60);
    expect(new Set(names).size).toBe(names.length);
  });

  test('marks private fields, and returns them only to admins', async () => {
    const text = contentTypesModule(await types());
    const interfaceOf = (name: string) => new RegExp(`^export interface ${name} {\n([^]*?)^}`, 'm').exec(text)?.[1];
    expect(interfaceOf('Author')).not.toContain('email');
    expect(interfaceOf('AuthorAdmin')).toContain(
      '  /** Private: only the admin routes return it. */\n  email: string | null;\n',
    );
    expect(interfaceOf('ManyKindAdmin')).not.toContain('a-password');
    expect(interfaceOf('ManyKindCreate')).toContain('  "a-password"?: string | null;\n');
    expect(interfaceOf('CommentUpdate')).toBeUndefined();
  });
});
