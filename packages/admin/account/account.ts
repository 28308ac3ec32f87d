import type { AccountTexts, ActionTexts } from './account-texts.ts';
import { textsFor } from './catalogues.ts';

// The page that links in mails lead to: `/account/{action}#{token}`. Opening it changes nothing, because scanners of mails open
// links too: the token is used when somebody presses the button.

type FieldName = 'email' | 'new_password' | 'password' | 'username';

interface Action {
  readonly texts: ActionTexts;
  readonly path: string;
  readonly fields: readonly FieldName[];
  /** What is sent besides the fields. */
  readonly more: Readonly<Record<string, string>>;
}

interface Problem {
  readonly code?: unknown;
  readonly errors?: readonly { readonly field?: unknown; readonly code?: unknown }[];
}

const { language, texts } = await textsFor(navigator.language);
const root = document.documentElement;
root.lang = language;

const darkness = matchMedia('(prefers-color-scheme: dark)');
const followTheme = (): void => {
  root.dataset.theme = darkness.matches ? 'dark' : 'light';
};
darkness.addEventListener('change', followTheme);
followTheme();

const token = decodeURIComponent(location.hash.slice(1));
// It stays out of the history, and out of what is copied from the address bar.
if (token !== '') history.replaceState(null, '', location.pathname);

// Another link of the same kind, opened in this tab, changes the part behind # alone: the page begins again with it.
addEventListener('hashchange', () => location.reload());

const name = location.pathname.split('/')[2] ?? '';
const api = '/api/v1/auth';

function actionOf(given: string): Action | undefined {
  const withToken = (path: string, fields: readonly FieldName[] = [], more = {}): Action | undefined => {
    const own = texts.actions[given];
    return own && { texts: own, path: `${api}/${path}`, fields, more: { token, ...more } };
  };
  switch (given) {
    case 'verification':
      return withToken('verification/confirm');
    case 'email-change':
      return withToken('email-change/confirm');
    case 'email-revert':
      return withToken('email-change/revert');
    case 'invitation':
      return withToken('invitation/confirm', ['username', 'password'], { session: 'cookie' });
    case 'password-reset':
      return token === '' ? forgot() : withToken('password-reset/confirm', ['new_password']);
    default:
      return undefined;
  }
}

const forgot = (): Action | undefined => {
  const own = texts.actions.forgot;
  return own && { texts: own, path: `${api}/password-reset`, fields: ['email'], more: {} };
};

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

const fieldTexts: Readonly<
  Record<FieldName, { label: keyof AccountTexts; hint?: keyof AccountTexts; attributes: Record<string, string> }>
> = {
  email: { label: 'email', attributes: { type: 'email', autocomplete: 'email', required: '', maxlength: '254' } },
  new_password: {
    label: 'newPassword',
    hint: 'passwordHint',
    attributes: { type: 'password', autocomplete: 'new-password', required: '' },
  },
  password: {
    label: 'newPassword',
    hint: 'passwordHint',
    attributes: { type: 'password', autocomplete: 'new-password', required: '' },
  },
  username: {
    label: 'username',
    hint: 'usernameHint',
    attributes: {
      type: 'text',
      autocomplete: 'username',
      maxlength: '64',
      autocapitalize: 'none',
      spellcheck: 'false',
    },
  },
};

interface Field {
  readonly name: FieldName;
  readonly input: HTMLInputElement;
  readonly error: HTMLElement;
  readonly row: HTMLElement;
}

function fieldFor(field: FieldName): Field {
  const { label, hint, attributes } = fieldTexts[field];
  const described = [...(hint === undefined ? [] : [`${field}-hint`]), `${field}-error`].join(' ');
  const input = element('input', { id: field, name: field, 'aria-describedby': described, ...attributes });
  const error = element('p', { id: `${field}-error`, class: 'error' });
  error.hidden = true;
  const row = element('div', {}, element('label', { for: field }, String(texts[label])), input);
  if (hint !== undefined) row.append(element('p', { id: `${field}-hint`, class: 'hint' }, String(texts[hint])));
  row.append(error);
  return { name: field, input, error, row };
}

const card = element('div', { class: 'card' });
document.getElementById('page')?.replaceChildren(card);

/** Shows a heading with what follows, and has it read out. */
function show(title: string, ...rest: readonly Node[]): void {
  document.title = title;
  const heading = element('h1', { tabindex: '-1' }, title);
  card.replaceChildren(heading, ...rest);
}

const message = (text: string): HTMLElement => element('p', { role: 'status' }, text);

function showForm(action: Action): void {
  const fields = action.fields.map(fieldFor);
  const button = element('button', { type: 'submit' }, action.texts.button);
  const notice = element('div', { role: 'alert' });
  const form = element('form', { novalidate: '' }, ...fields.map(({ row }) => row), notice, button);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    button.textContent = texts.working;
    void submit(action, fields, notice).finally(() => {
      button.disabled = false;
      button.textContent = action.texts.button;
    });
  });
  show(action.texts.title, element('p', {}, action.texts.intro), form);
  fields[0]?.input.focus();
}

async function submit(action: Action, fields: readonly Field[], notice: HTMLElement): Promise<void> {
  notice.replaceChildren();
  for (const field of fields) setError(field, '');
  const values = fields
    .map(({ name: field, input }) => [field, input.value] as const)
    .filter(([, value]) => value !== '');
  const body = JSON.stringify({ ...action.more, ...Object.fromEntries(values) });
  let response: Response;
  try {
    response = await fetch(action.path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  } catch {
    return fail(notice, texts.unreachable);
  }
  const answer: unknown = response.status === 204 ? {} : await response.json().catch(() => ({}));
  if (response.ok) return showDone(action, answer);
  const problem: Problem = typeof answer === 'object' && answer !== null ? answer : {};
  if (response.status === 422) return showFaults(problem, fields, notice);
  if (problem.code === 'invalid_link') return showInvalidLink();
  // It is done; whoever signs in is asked for more.
  if (problem.code === 'second_factor_required')
    return showDone({ ...action, texts: { ...action.texts, done: texts.factorNext } }, {});
  fail(notice, response.status === 429 ? texts.tooMany : texts.failed);
}

const fail = (notice: HTMLElement, text: string): void =>
  notice.replaceChildren(element('p', { class: 'notice' }, text));

function setError({ input, error }: Field, text: string): void {
  error.textContent = text;
  error.hidden = text === '';
  if (text === '') input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}

function showFaults({ errors = [] }: Problem, fields: readonly Field[], notice: HTMLElement): void {
  for (const field of fields) {
    const found = errors.find((each) => each.field === field.name);
    if (found !== undefined) setError(field, faultText(field.name, found.code));
  }
  const first = fields.find(({ error }) => !error.hidden);
  if (first === undefined) fail(notice, texts.failed);
  else first.input.focus();
}

function faultText(field: FieldName, code: unknown): string {
  if (code === 'taken') return texts.taken;
  const isPassword = field === 'password' || field === 'new_password';
  return isPassword && code !== 'too_long' ? texts.tooShort : texts.notValid;
}

function showInvalidLink(): void {
  const again = element('a', { href: '/account/password-reset' }, texts.askAgain);
  show(
    texts.actions[name]?.title ?? '',
    element('p', { class: 'notice', role: 'alert' }, texts.invalidLink),
    ...(name === 'password-reset' ? [element('p', {}, again)] : []),
  );
}

function showDone(action: Action, answer: unknown): void {
  const link = isStaff(answer) ? [element('a', { href: '/admin/', class: 'button' }, texts.toAdmin)] : [];
  show(action.texts.title, message(action.texts.done), ...link);
  card.querySelector('h1')?.focus();
}

/** Whether somebody was signed in who writes in the admin. */
function isStaff(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || !('user' in answer)) return false;
  const { user } = answer;
  if (typeof user !== 'object' || user === null || !('role' in user)) return false;
  return user.role === 'admin' || user.role === 'editor';
}

const action = actionOf(name);
if (action === undefined) show(texts.unknown);
else if (action.more.token === '') show(action.texts.title, element('p', { role: 'status' }, texts.noLink));
else showForm(action);
