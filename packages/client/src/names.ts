/** `blogPosts` as `blog-posts`: names of content types have no capital letters. */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The types that ship with the product have addresses of their own. */
const ownAddress: ReadonlySet<string> = new Set(['posts', 'pages', 'comments', 'users', 'media']);

/** Where the records of a type are, below `/api/v1` or `/api/v1/admin`. */
export const collectionPath = (name: string): string =>
  ownAddress.has(name) ? `/${name}` : `/cms/${encodeURIComponent(name)}`;
