import { addressOf, editorClient, element, find, isEditor, linkTo, messageOf, recto } from './blog.js';
import { dayOf, inLanguage, languageOf, showLanguages, t } from './language.js';

const { language: _, ...chosen } = Object.fromEntries(new URLSearchParams(location.search));
const { tag, category, search, page = '1' } = chosen;

/** The parameters of the page with some of them changed. */
const withChoice = (changes) =>
  Object.fromEntries(Object.entries({ ...chosen, page: '1', ...changes }).filter(([, value]) => value !== undefined));

/** A link that chooses, or takes back what is chosen. */
const choice = (parameter, value, text) =>
  element(
    'li',
    {},
    chosen[parameter] === value
      ? linkTo('index.html', withChoice({ [parameter]: undefined }), text, { 'aria-current': 'true' })
      : linkTo('index.html', withChoice({ [parameter]: value }), text),
  );

const showPost = (post) =>
  element(
    'li',
    {},
    element('h2', {}, linkTo('post.html', { slug: post.slug }, post.title, languageOf(post, 'title'))),
    element('p', { class: 'about' }, aboutPost(post)),
    element('p', languageOf(post, 'excerpt'), post.excerpt ?? ''),
  );

const aboutPost = ({ published_at, categories, tags }) =>
  [dayOf(published_at), ...categories.map(({ name }) => name), ...tags].join(' · ');

async function showPosts() {
  const query = { tag, category };
  const shown = { search, page: Number(page), page_size: 10, include: ['categories'], query, ...inLanguage };
  const posts = await recto.posts.list(shown);
  find('#message').textContent = posts.total === 0 ? t('There are no such posts.') : '';
  find('#posts').replaceChildren(...posts.items.map(showPost));
  const earlier =
    Number(page) > 1 && linkTo('index.html', withChoice({ page: `${Number(page) - 1}` }), t('Newer posts'));
  const later =
    posts.next_cursor && linkTo('index.html', withChoice({ page: `${Number(page) + 1}` }), t('Older posts'));
  find('#pages').replaceChildren(...[earlier, later].filter(Boolean));
}

async function showChoices() {
  const [categories, tags] = await Promise.all([
    recto.categories.list({ sort: 'name:asc', page_size: 50, ...inLanguage }),
    recto.request('GET', '/tags', { query: { page_size: 30 } }),
  ]);
  find('#categories').replaceChildren(...categories.items.map(({ slug, name }) => choice('category', slug, name)));
  find('#tags').replaceChildren(...tags.items.map(({ name }) => choice('tag', name, name)));
}

async function showDrafts() {
  const editor = await editorClient();
  const { items } = await editor.admin.posts.list({ query: { status: 'Draft' }, page_size: 50 });
  find('#drafts ul').replaceChildren(
    ...items.map(({ id, title }) => element('li', {}, linkTo('post.html', { preview: id }, title))),
  );
  find('#drafts').hidden = items.length === 0;
}

find('#search').search.value = search ?? '';
find('#search').addEventListener('submit', (event) => {
  event.preventDefault();
  location.assign(addressOf('index.html', withChoice({ search: event.target.search.value || undefined })));
});

showLanguages((tag) => addressOf('index.html', {}, tag));

try {
  await Promise.all([showPosts(), showChoices(), ...(isEditor ? [showDrafts()] : [])]);
} catch (error) {
  find('#message').textContent = messageOf(error);
}
