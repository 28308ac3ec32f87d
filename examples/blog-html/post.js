import { account, addressOf, editorClient, element, find, messageOf, recto } from './blog.js';
import { isInvalid } from './client/index.js';
import {
  dayOf,
  inLanguage,
  language,
  languageOf,
  mainSlug,
  missingNote,
  nameAlternates,
  showLanguages,
  t,
} from './language.js';

const { slug, preview } = Object.fromEntries(new URLSearchParams(location.search));

/** The published post, or for editors the version that is not yet published. */
const read = async () =>
  preview === undefined
    ? recto.posts.get(slug ?? '', {
        include: ['categories', 'author'],
        ...(language === undefined ? {} : { ...inLanguage, alternates: true }),
      })
    : (await editorClient()).admin.posts.draft(preview).get(inLanguage);

function showPost(post) {
  const { title, content, author, published_at } = post;
  const written = [author?.display_name, published_at && dayOf(published_at), missingNote(post)];
  document.title = title;
  find('#post h1').textContent = title;
  find('#post .about').textContent = preview === undefined ? written.filter(Boolean).join(' · ') : t('Preview');
  // The service has sanitised it.
  find('#post .content').innerHTML = content ?? '';
  // Words of another language are read out as such.
  Object.assign(find('#post h1'), languageOf(post, 'title'));
  Object.assign(find('#post .content'), languageOf(post, 'content'));
  find('#post').hidden = false;
}

const showComment = ({ nickname, content, replies }) =>
  element(
    'li',
    {},
    element('p', { class: 'about' }, nickname ?? t('A guest')),
    element('p', {}, content),
    element('ul', {}, ...replies.map(showComment)),
  );

/** Links to the post in all languages: where it is not translated, the same words stand there. */
function showTranslations({ slug: shown, __alternates: alternates = {} }) {
  const addressIn = (tag) => addressOf('post.html', { slug: alternates[tag]?.slug ?? shown }, tag);
  showLanguages(addressIn);
  nameAlternates(alternates, addressIn);
}

/** By the slug of the default language: what is said of a post stands below it in all languages. */
let thread = recto.thread(slug ?? '');

async function showComments() {
  const { items } = await thread.list({ page_size: 50 });
  find('#comments ul').replaceChildren(...items.map(showComment));
  find('#comments').hidden = false;
}

find('#comment').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  const status = find('#comment [role=status]');
  const { content, nickname } = Object.fromEntries(new FormData(form));
  try {
    const made = await thread.create({ content, ...(nickname && { nickname }) });
    form.reset();
    status.textContent =
      made.status === 'Approved' ? t('Thank you.') : t('Thank you. Your comment waits for approval.');
    await showComments();
  } catch (error) {
    status.textContent = isInvalid(error) ? error.errors.map(({ message }) => message).join(' ') : messageOf(error);
  }
});

// An account has its own name.
if (account?.username) find('#comment [name=nickname]').closest('label').hidden = true;

try {
  const post = await read();
  showPost(post);
  find('#message').textContent = '';
  if (preview === undefined) {
    thread = recto.thread(mainSlug(post));
    showTranslations(post);
  }
  if (preview === undefined) await showComments();
} catch (error) {
  find('#message').textContent = messageOf(error);
}
