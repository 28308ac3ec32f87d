/** `:lower`: A to Z become lower case, every other letter stays, as on every database. */
export const lowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
