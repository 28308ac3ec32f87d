/** A former address of a record, and the one that it has now: paths of a site. */
export interface Redirect {
  readonly from: string;
  readonly to: string;
}

/** How a static host writes redirects. */
export interface RedirectFormat {
  readonly mediaType: string;
  readonly head: string;
  readonly tail: string;
  /** Between two redirects. */
  readonly between: string;
  write(redirect: Redirect): string;
}

const lines = { mediaType: 'text/plain; charset=utf-8', head: '', tail: '', between: '' } as const;

/** The formats of static hosts, by their names. */
export const redirectFormats = {
  /** A file `_redirects`. */
  netlify: { ...lines, write: ({ from, to }) => `${inLine(from)} ${inLine(to)} 301\n` },
  /** A file `_redirects`, of at most 2,000 lines. */
  cloudflare: { ...lines, write: ({ from, to }) => `${inLine(from)} ${inLine(to)} 308\n` },
  /** The content of `map $uri $moved_to { … }`. */
  nginx: { ...lines, write: ({ from, to }) => `${inMap(from)} ${inMap(to)};\n` },
  /** A file `vercel.json`. */
  vercel: {
    mediaType: 'application/json',
    head: '{"redirects":[',
    tail: ']}',
    between: ',',
    write: ({ from, to }) => JSON.stringify({ source: inLine(from), destination: inLine(to), permanent: true }),
  },
} as const satisfies Readonly<Record<string, RedirectFormat>>;

export type RedirectFormatName = keyof typeof redirectFormats;

/** A path without any character that could begin another part, another line, a pattern or a variable. */
const inLine = (path: string): string => path.replaceAll(/[^A-Za-z0-9/._~-]/gu, percentEncoded);

const inMap = (path: string): string => `"${inLine(path)}"`;

/** As in addresses, also for characters that these leave as they are. */
function percentEncoded(character: string): string {
  const bytes = new TextEncoder().encode(character);
  return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
