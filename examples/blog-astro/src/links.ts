/** What is chosen on the first page, by the parameters of its address. */
export type Choice = Readonly<Record<string, string | undefined>>;

/** The first page with some of the choices changed, and its first page of posts again. */
export function linkTo(chosen: Choice, changes: Choice): string {
  const all = { ...chosen, page: undefined, ...changes };
  const given = Object.entries(all).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));
  return given.length === 0 ? '/' : `/?${new URLSearchParams(given)}`;
}

export const dayOf = (time: string | null | undefined, language = 'en'): string =>
  time ? new Date(time).toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' }) : '';
