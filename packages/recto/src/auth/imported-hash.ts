/**
 * bcrypt. Its cost is an exponent: 14 takes a second or so, and each one more twice that. Salt and digest end with a character whose
 * last bits are zero, without which they cannot be read.
 */
const bcrypt = /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/;

/** argon2id in PHC form. */
const argon2 =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,5}),t=([1-9]\d?),p=([1-9]\d?)\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,86}$/;

/** In KiB, passes and lanes: what one sign-in may cost. */
const most = { memory: 128 * 1024, time: 10, lanes: 8 } as const;

/**
 * Whether a hash of another system can be kept: this service verifies it, at a cost that a sign-in may have. A hostile file could ask
 * for hours and gigabytes.
 */
export function isImportableHash(hash: string): boolean {
  if (bcrypt.test(hash)) return true;
  const [found, memory, time, lanes] = argon2.exec(hash) ?? [];
  return (
    found !== undefined && Number(memory) <= most.memory && Number(time) <= most.time && Number(lanes) <= most.lanes
  );
}
