import { createClient, isInvalid, RectoError } from './client/index.js';

/** The pages come from the service itself: the browser keeps the session where no script can read it. */
export const recto = createClient({ url: location.origin, session: 'cookie' });

/** The one element that a selector names. */
export function find(selector, within = document) {
  const found = within.querySelector(selector);
  if (found === null) throw new Error(`There is no ${selector}.`);
  return found;
}

/** An element with attributes, and texts and elements in it. Texts stay texts, whatever is in them. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** What the codes of some errors mean for the person. */
const messages = {
  offline: 'The service cannot be reached at the moment.',
  invalid_credentials: 'The email address or the password is wrong.',
  invalid_code: 'This code is wrong, used or expired.',
  invalid_passkey: 'This passkey is not accepted.',
  email_not_verified: 'Confirm your email address first: a mail with a link is under way.',
  step_up_required: 'This takes a recent sign-in. Sign out and in again.',
  last_second_factor: 'Your account must have a second factor, and this is the only one.',
  last_sign_in_method: 'Without it, nothing would open your account.',
  identity_in_use: 'Another account has it already.',
  // From a provider:
  access_denied: 'You said no there.',
  provider_error: 'The answer from there was not accepted.',
  provider_unavailable: 'It cannot be reached at the moment.',
  registration_closed: 'There is no account for you here.',
  sign_in_to_link: 'An account has this email address. Sign in to it, and link the other one under “My account”.',
  email_missing: 'No email address came from there.',
  account_disabled: 'This account is disabled.',
};

/** What a failed call means for the person. */
export function messageOf(error) {
  // What a browser throws where a person closes its window, or has no passkey.
  if (error instanceof DOMException && error.name === 'NotAllowedError') return 'No passkey was used.';
  if (error instanceof DOMException && error.name === 'InvalidStateError') return 'This device has a passkey already.';
  if (isInvalid(error)) return error.errors.map(({ message }) => message).join(' ');
  if (error instanceof RectoError) return messages[error.code] ?? error.message;
  return error instanceof Cancelled ? error.message : 'Something went wrong.';
}

/** A person did not confirm what they began. */
export class Cancelled extends Error {
  constructor() {
    super('Nothing was changed, because you did not confirm that it is you.');
  }
}

/** Sends a form by `act`. What goes wrong is said in the form, and the field gets the focus. */
export function onSubmit(form, act) {
  const problem = find('[role=alert]', form);
  problem.id ||= crypto.randomUUID();
  let isBusy = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    problem.textContent = '';
    for (const field of form.querySelectorAll('[aria-invalid]')) {
      field.removeAttribute('aria-invalid');
      field.removeAttribute('aria-describedby');
    }
    try {
      await act(Object.fromEntries(new FormData(form)));
      form.reset();
    } catch (error) {
      problem.textContent = messageOf(error);
      const named = isInvalid(error) ? form.elements.namedItem(error.errors[0]?.field) : null;
      const field = named ?? form.querySelector('input');
      field?.setAttribute('aria-invalid', 'true');
      field?.setAttribute('aria-describedby', problem.id);
      field?.select();
    } finally {
      isBusy = false;
    }
  });
}

/** Has a button do something, once at a time. What goes wrong is said at the top of the page. */
export function onPress(button, act) {
  let isBusy = false;
  button.addEventListener('click', async () => {
    if (isBusy) return;
    isBusy = true;
    find('#problem').textContent = '';
    find('#status').textContent = '';
    try {
      await act();
    } catch (error) {
      find('#problem').textContent = messageOf(error);
    } finally {
      isBusy = false;
    }
  });
}
