import { useLanguage } from '../text/text.ts';

export type Theme = 'light' | 'dark' | 'system';

const system = matchMedia('(prefers-color-scheme: dark)');

/** Kept in this browser. Storage may be closed to us: then a choice lasts as long as the page. */
function read(name: string): string | null {
  try {
    return localStorage.getItem(`recto.${name}`);
  } catch {
    return null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(`recto.${name}`, value);
  } catch {
    // The choice lasts as long as the page.
  }
}

const themes: readonly string[] = ['light', 'dark', 'system'] satisfies readonly Theme[];
const isTheme = (text: string | null): text is Theme => text !== null && themes.includes(text);

const storedTheme = read('theme');
let theme = $state<Theme>(isTheme(storedTheme) ? storedTheme : 'system');
let language = $state('en');
let sidebarCollapsed = $state(read('sidebar') === 'collapsed');
let shortcuts = $state(read('shortcuts') !== 'off');

function applyTheme(): void {
  const isDark = theme === 'dark' || (theme === 'system' && system.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
}

async function applyLanguage(wanted: string): Promise<void> {
  const { code, direction } = await useLanguage(wanted);
  document.documentElement.lang = code;
  document.documentElement.dir = direction;
  language = code;
}

/** What this person chose for this browser. Reactive. */
export const preferences = {
  get theme(): Theme {
    return theme;
  },
  set theme(next: Theme) {
    theme = next;
    write('theme', next);
    applyTheme();
  },
  /** The language of the texts. The page is drawn anew after a change. */
  get language(): string {
    return language;
  },
  async setLanguage(code: string): Promise<void> {
    await applyLanguage(code);
    write('language', code);
  },
  get sidebarCollapsed(): boolean {
    return sidebarCollapsed;
  },
  set sidebarCollapsed(next: boolean) {
    sidebarCollapsed = next;
    write('sidebar', next ? 'collapsed' : 'open');
  },
  /** Whether single letters are shortcuts. */
  get shortcuts(): boolean {
    return shortcuts;
  },
  set shortcuts(next: boolean) {
    shortcuts = next;
    write('shortcuts', next ? 'on' : 'off');
  },
};

/** Before anything is drawn. */
export async function applyPreferences(): Promise<void> {
  system.addEventListener('change', applyTheme);
  applyTheme();
  await applyLanguage(read('language') ?? navigator.language);
}
