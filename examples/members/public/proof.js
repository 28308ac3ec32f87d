import { RectoError } from './client/index.js';
import { Cancelled, element, find, onSubmit, recto } from './members.js';

/** What each way to prove who is there asks for. A passkey is asked for by the browser. */
const ways = {
  password: {
    field: { name: 'current_password', type: 'password', autocomplete: 'current-password' },
    label: 'Password',
    send: 'Use the password',
  },
  passkey: { send: 'Use a passkey' },
  totp: {
    field: { name: 'code', inputmode: 'numeric', autocomplete: 'one-time-code' },
    label: 'Code of the authenticator app',
    send: 'Use the code',
  },
  recovery_code: {
    field: { name: 'code', autocomplete: 'off', autocapitalize: 'none' },
    label: 'Recovery code',
    send: 'Use the recovery code',
  },
};

/** A form for each way that this page knows. `give` gets the method and what the person has entered. */
export function showProofForms(place, methods, give) {
  const known = methods.filter((method) => method in ways);
  const forms = known.map((method) => {
    const { field, label, send } = ways[method];
    const form = element('form', { 'aria-label': send });
    if (field) form.append(element('label', {}, `${label} `, element('input', { ...field, required: '' })));
    form.append(element('p', { role: 'alert' }), element('button', { type: 'submit' }, send));
    onSubmit(form, (entered) => give(method, entered));
    return form;
  });
  place.replaceChildren(...forms);
}

/** Does something that may take a recent proof of who is there: asks for it, and does it again. */
export async function withProof(act) {
  try {
    return await act();
  } catch (error) {
    const isAsked = error instanceof RectoError && error.is('step_up_required') && error.methods?.length > 0;
    if (!isAsked) throw error;
    await askProof(error.methods);
    return await act();
  }
}

function askProof(methods) {
  const dialog = find('#step-up');
  return new Promise((resolve, reject) => {
    showProofForms(find('div', dialog), methods, async (method, entered) => {
      if (method === 'passkey') await recto.auth.stepUpWithPasskey();
      else await recto.auth.stepUp(method === 'password' ? entered : { method, ...entered });
      dialog.close('given');
    });
    find('button[type=button]', dialog).onclick = () => dialog.close('');
    dialog.returnValue = '';
    // Escape closes it, too.
    dialog.onclose = () => (dialog.returnValue === 'given' ? resolve() : reject(new Cancelled()));
    dialog.showModal();
  });
}
