/** How a language writes what is typed with `"`, `'` and `--`. */
export interface Typography {
  readonly double: readonly [open: string, close: string];
  readonly single: readonly [open: string, close: string];
  readonly dash: string;
}

const english: Typography = { double: ['“', '”'], single: ['‘', '’'], dash: '—' };
const german: Typography = { double: ['„', '“'], single: ['‚', '‘'], dash: '–' };
const narrow = '\u202F';
const french: Typography = { double: [`«${narrow}`, `${narrow}»`], single: ['‹', '›'], dash: '–' };
const angled: Typography = { double: ['«', '»'], single: ['“', '”'], dash: '—' };
const northern: Typography = { double: ['”', '”'], single: ['’', '’'], dash: '–' };
const polish: Typography = { double: ['„', '”'], single: ['‚', '’'], dash: '–' };

/** By language; a region of its own stands before the language. */
const byLanguage: Readonly<Record<string, Typography>> = {
  en: english,
  de: german,
  'de-ch': { double: ['«', '»'], single: ['‹', '›'], dash: '–' },
  cs: german,
  sk: german,
  sl: german,
  bg: german,
  fr: french,
  'fr-ch': { double: ['«', '»'], single: ['‹', '›'], dash: '–' },
  es: angled,
  it: angled,
  pt: english,
  el: angled,
  uk: angled,
  ru: { double: ['«', '»'], single: ['„', '“'], dash: '—' },
  sv: northern,
  fi: northern,
  da: { double: ['»', '«'], single: ['›', '‹'], dash: '–' },
  nb: { double: ['«', '»'], single: ['‘', '’'], dash: '–' },
  nl: { double: ['“', '”'], single: ['‘', '’'], dash: '–' },
  pl: polish,
  hu: polish,
  ro: polish,
};

/** How a language writes quotes and dashes; undefined: it is not known. */
export function typographyOf(language: string): Typography | undefined {
  const code = language.toLowerCase();
  return byLanguage[code] ?? byLanguage[code.split('-')[0] ?? ''];
}
