import { RectoError } from './client/index.js';
import { element, find, messageOf, onPress, onSubmit, recto } from './members.js';
import { showProofForms } from './proof.js';

/** Where providers lead back to: RECTO_AUTH_RETURN_TO has it. */
const here = new URL('index.html', location.href).href;
const status = find('#status');

/** Signs in and goes to the account, or asks for a second factor first. */
async function enter(signIn) {
  try {
    await signIn();
  } catch (error) {
    if (!(error instanceof RectoError && error.second_factor)) throw error;
    return askSecondFactor(error.second_factor);
  }
  location.replace('my-account.html');
}

function askSecondFactor(required) {
  find('#ways').hidden = true;
  status.textContent = '';
  const section = find('#second-step');
  showProofForms(find('div', section), required.methods, async (method, entered) => {
    if (method === 'passkey') await recto.auth.secondFactorWithPasskey(required);
    else await recto.auth.secondFactor({ challenge: required.challenge, method, ...entered });
    location.replace('my-account.html');
  });
  section.hidden = false;
  find('input, button', section).focus();
}

onSubmit(find('#password'), (entered) => enter(() => recto.auth.login(entered)));
onSubmit(find('#passkey'), () => enter(() => recto.auth.signInWithPasskey()));

let challenge;
onSubmit(find('#request-code'), async ({ email }) => {
  ({ challenge } = await recto.auth.requestCode(email));
  status.textContent = `If ${email} may sign in with a code, it is on its way.`;
  find('#code').hidden = false;
  find('#code input').focus();
});
onSubmit(find('#code'), ({ code }) => enter(() => recto.auth.signInWithCode({ challenge, code })));

onSubmit(find('#register'), async (entered) => {
  if (await recto.auth.register(entered)) return location.replace('my-account.html');
  // The service wants the address confirmed first.
  status.textContent = 'Open the link in the mail that we have sent you, then sign in.';
});

function showProviders(providers) {
  const buttons = providers.map(({ name, label }) => {
    const button = element('button', { type: 'button' }, `Continue with ${label}`);
    onPress(button, () => recto.auth.signInWith(name, { returnTo: here }));
    return button;
  });
  find('#providers').append(...buttons);
  find('#providers').hidden = buttons.length === 0;
}

async function showWays() {
  const [options, providers] = await Promise.all([recto.auth.options(), recto.auth.providers()]);
  find('#password').hidden = options.password_sign_in === 'off';
  find('#passkey').hidden = !options.passkeys || !('PublicKeyCredential' in globalThis);
  find('#request-code').hidden = options.sign_in_codes === 'off';
  find('#register').hidden = options.registration === 'closed';
  showProviders(providers);
  find('#ways').hidden = false;
}

/** Somebody who comes back from a provider, or has a session already, goes on. */
async function arrive() {
  try {
    if (/^#(code|error)=/.test(location.hash)) {
      await enter(() => recto.auth.exchange());
      return;
    }
    if (await recto.auth.refresh()) {
      location.replace('my-account.html');
      return;
    }
  } catch (error) {
    find('#problem').textContent = messageOf(error);
  }
  await showWays();
  status.textContent = '';
}

await arrive().catch((error) => {
  status.textContent = '';
  find('#problem').textContent = messageOf(error);
});
