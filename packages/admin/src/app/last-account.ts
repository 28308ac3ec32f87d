/** The account whose session goes on in this browser as far as the browser knows: for what is shown while the service cannot be asked. */
const key = 'recto.account';

/** Called with the id of who is signed in, and with undefined when the session has ended. */
export function rememberAccount(id: string | undefined): void {
  try {
    if (id === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, id);
  } catch {
    // Storage may be closed to us.
  }
}

/** The id of the account; undefined where nobody is signed in. */
export function lastAccount(): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
