/** The role as which an admin looks at the admin, in this tab: nothing can be changed meanwhile. */

const kept = 'recto.viewed-role';

function stored(): string | undefined {
  try {
    return sessionStorage.getItem(kept) ?? undefined;
  } catch {
    return undefined;
  }
}

let role = $state(stored());

function remember(name: string | undefined): void {
  role = name;
  try {
    if (name === undefined) sessionStorage.removeItem(kept);
    else sessionStorage.setItem(kept, name);
  } catch {
    // Storage may be closed to us: then it ends with the page.
  }
}

export const viewedRole = {
  /** Undefined: people see what is theirs. Reactive. */
  get name(): string | undefined {
    return role;
  },
  /** Shows the admin as a role sees it; undefined: as it is again. Begins anew at the first page. */
  show(name: string | undefined): void {
    remember(name);
    location.assign('/admin/');
  },
  /** Somebody else is signed in. */
  forget: () => remember(undefined),
};
