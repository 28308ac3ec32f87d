/** Without letters and digits that look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** A password that nobody guesses and anybody can read out: four groups of five, 115 bits. */
export function newPassword(): string {
  const groups = Array.from({ length: 4 }, () => Array.from({ length: 5 }, letter).join(''));
  return groups.join('-');
}

/** Each letter as likely as any other: numbers beyond the last whole round are drawn again. */
function letter(): string {
  const limit = 256 - (256 % letters.length);
  for (;;) {
    const [drawn = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (drawn < limit) return letters[drawn % letters.length] ?? '';
  }
}
