import { addressList, type SettingType } from './setting-type.ts';

/** Pages that a sign-in by a provider may lead back to. */
export interface ReturnTarget {
  readonly origin: string;
  /** The page, or the folder that it is in: `/account` is for `/account` and what is below `/account/`. */
  readonly path: string;
}

/** Origins with paths. Anything that a page of them does with its address gets the code, so the list names pages of one's own. */
export const returnTargets: SettingType<readonly ReturnTarget[]> = addressList(
  'a list of addresses of your site, each an origin with or without a path, such as https://example.com/account',
  'none',
  targetOf,
);

function targetOf(text: string): ReturnTarget | undefined {
  if (!/^https?:\/\/[^/\\]/i.test(text) || !URL.canParse(text) || /[?#\\*\s]/.test(text)) return undefined;
  const { origin, pathname, username, password } = new URL(text);
  return username === '' && password === '' ? { origin, path: pathname.replace(/\/+$/, '') } : undefined;
}
