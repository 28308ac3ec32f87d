import { account, editorClient, element, find, messageOf, recto } from './blog.js';
import { isInvalid } from './client/index.js';

const { slug, preview } = Object.fromEntries(new URLSearchParams(location.search));

/** The published post, or for editors the version that is not yet published. */
const read = async () =>
  preview === undefined
    ? recto.posts.get(slug ?? '', { include: ['categories', 'author'] })
    : (await editorClient()).admin.posts.draft(preview).get();

function showPost({ title, content, author, published_at }) {
  const written = [author?.display_name, published_at && new Date(published_at).toLocaleDateString()];
  document.title = title;
  find('#post h1').textContent = title;
  find('#post .about').textContent = preview === undefined ? written.filter(Boolean).join(' · ') : 'Preview';
  // The service has sanitised it.
  find('#post .content').innerHTML = content ?? '';
  find('#post').hidden = false;
}

const showComment = ({ nickname, content, replies }) =>
  element(
    'li',
    {},
    element('p', { class: 'about' }, nickname ?? 'A guest'),
    element('p', {}, content),
    element('ul', {}, ...replies.map(showComment)),
  );

async function showComments() {
  const { items } = await recto.thread(slug).list({ page_size: 50 });
  find('#comments ul').replaceChildren(...items.map(showComment));
  find('#comments').hidden = false;
}

find('#comment').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  const status = find('#comment [role=status]');
  const { content, nickname } = Object.fromEntries(new FormData(form));
  try {
    const made = await recto.thread(slug).create({ content, ...(nickname && { nickname }) });
    form.reset();
    status.textContent = made.status === 'Approved' ? 'Thank you.' : 'Thank you. Your comment waits for approval.';
    await showComments();
  } catch (error) {
    status.textContent = isInvalid(error) ? error.errors.map(({ message }) => message).join(' ') : messageOf(error);
  }
});

// An account has its own name.
if (account?.username) find('#comment [name=nickname]').closest('label').hidden = true;

try {
  showPost(await read());
  find('#message').textContent = '';
  if (preview === undefined) await showComments();
} catch (error) {
  find('#message').textContent = messageOf(error);
}
