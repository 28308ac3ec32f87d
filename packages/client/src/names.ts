/** `blogPosts` as `blog-posts`: names of content types have no capital letters. */
export const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Where the records of a type are, below `/api/v1` or `/api/v1/admin`. */
export const collectionPath = (name: string): string =>
  // The types that ship with the product have addresses of their own.
  /^(posts|pages|comments|users|media)$/.test(name) ? `/${name}` : `/cms/${encodeURIComponent(name)}`;

/** An object that has some members, and makes any other that it is asked for, once. It is no promise, though `await` asks. */
export const byName = (make: (name: string) => unknown, members?: object): object =>
  new Proxy<Record<string, unknown>>(
    { __proto__: null, ...members },
    {
      get(made, name) {
        if (typeof name === 'symbol' || name === 'then') return undefined;
        made[name] ??= make(name);
        return made[name];
      },
    },
  );
