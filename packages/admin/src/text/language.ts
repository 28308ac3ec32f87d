export interface Language {
  /** A BCP 47 tag: `de`, `pt-BR`. */
  readonly code: string;
  /** In itself: `Deutsch`. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
}

const rightToLeft = /^(?:ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)(?:-|$)/;

/** What there is to know about a language from its code. */
export function languageOf(code: string): Language {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return {
    code,
    name: name.charAt(0).toLocaleUpperCase(code) + name.slice(1),
    direction: rightToLeft.test(code) ? 'rtl' : 'ltr',
  };
}

/** Of some languages the one that a reader of `wanted` reads best: that language with its region, or another region's of it. */
export function closestLanguage(wanted: string, codes: readonly string[]): string | undefined {
  const ask = wanted.toLowerCase();
  const [language] = ask.split('-');
  return (
    codes.find((code) => code.toLowerCase() === ask) ??
    codes.find((code) => code === language) ??
    codes.find((code) => code.split('-')[0] === language)
  );
}
