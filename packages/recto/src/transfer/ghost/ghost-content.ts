import type { ForeignFile } from '../importers/foreign-value.ts';
import type { ChosenOptions, ForeignContent, LeftOut } from '../importers/importer.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { ghostAccounts } from './ghost-accounts.ts';
import { openFile } from './ghost-files.ts';
import { isSet } from './ghost-post.ts';
import type { GhostSource } from './ghost-source.ts';
import { type GhostTables, textOf } from './ghost-tables.ts';
import { ghostTypes } from './ghost-types.ts';

const optionNames = ['site', 'addresses'];

/** What an export holds, in words of this service. */
export function ghostContent(source: GhostSource, chosen: ChosenOptions): ForeignContent {
  const { tables, file } = source;
  const unknown = Object.keys(chosen).find((name) => !optionNames.includes(name));
  if (unknown !== undefined)
    throw new TransferRefused(`There is no option ${unknown}. There are: ${optionNames.join(', ')}.`);
  const site = siteOf(chosen.site);
  const address = { site: site === 'unknown' ? '' : site };
  const addresses = addressesOf(chosen.addresses);
  const accounts = ghostAccounts(tables, file, addresses === 'confirmed');
  return {
    source: sourceName(tables),
    types: ghostTypes({
      ...{ tables, file, ...address, now: Date.now() },
      isPrivateSite: isSet(tables, 'is_private'),
      commentsOpen: settingOf(tables, 'comments_enabled') !== 'off',
    }),
    accounts: accounts.total === 0 ? [] : [accounts],
    leftOut: leftOutOf(tables),
    options: {
      site: {
        value: site,
        about:
          'The address of the site, such as "https://site.example": files that are not found keep their address there. An export does not have it.',
      },
      addresses: {
        value: addresses,
        about:
          'Staff of Ghost change their addresses without confirming them: an account here with the same address is not taken for theirs. Write "confirmed" where you know that all of them are.',
      },
    },
    open: (each: ForeignFile) => openFile(source, each, address),
  };
}

function siteOf(chosen = 'unknown'): string {
  if (chosen === 'unknown' || (/^https?:\/\//.test(chosen) && URL.canParse(chosen))) return chosen.replace(/\/+$/, '');
  throw new TransferRefused('The option site: write an address that begins with https:// or http://, or unknown.');
}

function addressesOf(chosen = 'unconfirmed'): 'confirmed' | 'unconfirmed' {
  if (chosen === 'confirmed' || chosen === 'unconfirmed') return chosen;
  throw new TransferRefused('The option addresses: write confirmed or unconfirmed.');
}

const settingOf = (tables: GhostTables, key: string): string => textOf(tables.ownedBy('settings', key)[0]?.value ?? '');

/** Made of the first post: it stays when others are added. */
function sourceName(tables: GhostTables): string {
  const first = tables.each('posts', 'post').next().value ?? tables.each('posts', 'page').next().value;
  const text = JSON.stringify([textOf(first?.row.uuid), textOf(first?.row.id)]);
  return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 12);
}

/** Why tables that an export can have are left out. What Ghost keeps for itself is not named. */
const reasons: Readonly<Record<string, string>> = {
  roles_users: 'Everybody becomes a member: an import makes no admins. "recto user create EMAIL --role admin" does.',
  settings: 'Settings of the site (title, navigation, code injection) are for its front end.',
  custom_theme_settings: 'Settings of a theme are for its front end.',
  members: 'Members are no accounts of people who write. Their export is another file (CSV).',
  newsletters: 'Recto sends no newsletters.',
  products: 'Recto has no tiers: what is for some of them becomes drafts.',
  offers: 'Recto sells nothing.',
  snippets: 'Snippets are of the editor of Ghost.',
  comments: 'Comments are of members, who are not brought in.',
  redirects: 'Redirects are for the front end. Former slugs lead on by themselves from now on.',
};

function leftOutOf(tables: GhostTables): readonly LeftOut[] {
  const named = Object.entries(reasons).flatMap(([place, why]): readonly LeftOut[] => {
    const total = tables.counts.get(place) ?? 0;
    return total === 0 ? [] : [{ place, why: `${why} (${total})` }];
  });
  const code = ['codeinjection_head', 'codeinjection_foot', 'ghost_head', 'ghost_foot'].filter(
    (key) => settingOf(tables, key) !== '',
  );
  return [
    ...named,
    ...code.map((key) => ({ place: `settings ${key}`, why: 'Code for all pages of the site is for its front end.' })),
    ...(isSet(tables, 'is_private')
      ? [{ place: 'settings is_private', why: 'The site asks visitors for a password: all of it becomes drafts.' }]
      : []),
  ];
}
