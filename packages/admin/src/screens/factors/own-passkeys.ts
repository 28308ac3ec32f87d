const key = 'recto.passkeys';

/** The ids of the passkeys that were added in this browser, so that a list can say which one is at hand. */
export function ownPasskeys(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    // Storage may be closed to us, or hold something else.
    return [];
  }
}

export function rememberPasskey(id: string): void {
  try {
    localStorage.setItem(key, JSON.stringify([...ownPasskeys(), id].slice(-20)));
  } catch {
    // Then no list marks it.
  }
}
