import { RectoError } from './client/index.js';
import { element, find, messageOf, onPress, onSubmit, recto } from './members.js';
import { withProof } from './proof.js';

/** Where providers lead back to: RECTO_AUTH_RETURN_TO has it. */
const here = new URL('my-account.html', location.href).href;
const status = find('#status');
const app = find('#app');
const setUp = find('form', app);
const passkeys = find('#passkeys');
const identities = find('#identities');
const recovery = find('#recovery-codes');

/** Does something with the account, which may take a recent proof, and shows what has become of it. */
async function change(act, said, section) {
  await withProof(act);
  await show();
  status.textContent = said;
  // Its button is gone: the focus must not get lost.
  if (document.activeElement === document.body) find('h2', section).focus();
}

function showRecoveryCodes(codes) {
  find('ul', recovery).replaceChildren(...codes.map((code) => element('li', {}, element('code', {}, code))));
  recovery.hidden = false;
  find('h2', recovery).focus();
}

find('button', recovery).addEventListener('click', () => {
  find('ul', recovery).replaceChildren();
  recovery.hidden = true;
  find('h2', app).focus();
});

onPress(find('.set-up', app), async () => {
  const { secret, qr } = await withProof(() => recto.auth.totp.begin());
  const picture = find('img', setUp);
  URL.revokeObjectURL(picture.src);
  picture.src = URL.createObjectURL(new Blob([qr], { type: 'image/svg+xml' }));
  find('code', setUp).textContent = secret;
  setUp.hidden = false;
  find('input', setUp).focus();
});

onSubmit(setUp, async ({ code }) => {
  const codes = await withProof(() => recto.auth.totp.confirm(code));
  setUp.hidden = true;
  find('code', setUp).textContent = '';
  await show();
  status.textContent = 'The authenticator app is set up.';
  showRecoveryCodes(codes);
});

onPress(find('.remove', app), () => change(() => recto.auth.totp.remove(), 'The authenticator app is removed.', app));

onPress(find('.new-codes', app), async () => {
  const codes = await withProof(() => recto.auth.newRecoveryCodes());
  await show();
  showRecoveryCodes(codes);
});

onSubmit(find('form', passkeys), async ({ name }) => {
  const { recovery_codes } = await withProof(() => recto.auth.passkeys.add(name));
  await show();
  status.textContent = 'The passkey is added.';
  // With the first second factor of an account.
  if (recovery_codes) showRecoveryCodes(recovery_codes);
});

onPress(find('#sign-out'), async () => {
  // Here it ends even if the service cannot be reached.
  await recto.auth.logout().catch(() => undefined);
  location.replace('index.html');
});

/** A line of a list, with a button that removes it. */
function removable(text, label, remove, section) {
  const button = element('button', { type: 'button' }, label);
  onPress(button, () => change(remove, `${text} is removed.`, section));
  return element('li', {}, text, ' ', button);
}

function showFactors({ totp, passkeys: count, recovery_codes, required }) {
  const isMissing = required && !totp && count === 0;
  const state = totp ? 'It is set up.' : 'It is not set up.';
  find('.state', app).textContent = isMissing
    ? 'Your account must have a second factor: set up an app, or add a passkey.'
    : `${state} ${totp || count > 0 ? `Recovery codes left: ${recovery_codes}.` : ''}`;
  find('.set-up', app).hidden = totp;
  find('.remove', app).hidden = !totp;
  find('.new-codes', app).hidden = !totp && count === 0;
}

function showPasskeys(all, areOffered) {
  const lines = all.map(({ id, name }) =>
    removable(name, `Remove ${name}`, () => recto.auth.passkeys.remove(id), passkeys),
  );
  find('ul', passkeys).replaceChildren(...lines);
  passkeys.hidden = !areOffered;
}

function showIdentities(all, providers) {
  const lines = all.map(({ id, label, email }) => {
    const text = email === null ? label : `${label} (${email})`;
    return removable(text, `Unlink ${text}`, () => recto.auth.identities.remove(id), identities);
  });
  find('ul', identities).replaceChildren(...lines);
  const buttons = providers.map(({ name, label }) => {
    const button = element('button', { type: 'button' }, `Link ${label}`);
    onPress(button, () => withProof(() => recto.auth.identities.link(name, { returnTo: here })));
    return button;
  });
  find('.links', identities).replaceChildren(...buttons);
  identities.hidden = lines.length === 0 && buttons.length === 0;
}

/** None, as long as the account has to set up a second factor before anything else. */
const ownIdentities = () =>
  recto.auth.identities.list().catch((error) => {
    if (error instanceof RectoError && error.is('second_factor_setup_required')) return [];
    throw error;
  });

async function show() {
  const { auth } = recto;
  const [account, options, factors, providers, linked] = await Promise.all([
    auth.me(),
    auth.options(),
    auth.secondFactors(),
    auth.providers(),
    ownIdentities(),
  ]);
  find('#email').textContent = account.email;
  showFactors(factors);
  showPasskeys(options.passkeys ? await auth.passkeys.list() : [], options.passkeys);
  showIdentities(linked, providers);
  find('#account').hidden = false;
}

/** Links the identity that somebody comes back from a provider with. */
async function confirmIdentity() {
  try {
    const linked = await recto.auth.identities.confirm();
    return linked ? `${linked.label} is linked.` : '';
  } catch (error) {
    find('#problem').textContent = messageOf(error);
    return '';
  }
}

async function arrive() {
  // Takes up the session that the cookie has.
  if (!(await recto.auth.refresh())) return location.replace('index.html');
  recto.auth.onEnd(() => location.replace('index.html'));
  const said = await confirmIdentity();
  await show();
  status.textContent = said;
}

await arrive().catch((error) => {
  status.textContent = '';
  find('#problem').textContent = messageOf(error);
});
