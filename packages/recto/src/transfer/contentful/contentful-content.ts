import { fetchedFile } from '../../media/fetched-file.ts';
import { storedChunks } from '../../storage/storage.ts';
import type { Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { ForeignFile } from '../importers/foreign-value.ts';
import type { ChosenOptions, ForeignContent, LeftOut } from '../importers/importer.ts';
import { localFile } from '../importers/local-file.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { type ContentfulSource, tableOf } from './contentful-source.ts';
import { ContentfulTypes } from './contentful-types.ts';

/** What an export holds, in words of this service. */
export function contentfulContent(source: ContentfulSource, chosen: ChosenOptions): ForeignContent {
  const unknown = Object.keys(chosen).find((name) => name !== 'public');
  if (unknown !== undefined) throw new TransferRefused(`There is no option ${unknown}. There is: public.`);
  const isPublic = chosen.public === 'yes';
  const { locales, types } = source;
  const names = JSON.stringify(types.map((type) => tableOf(tableOf(type.sys).space)).slice(0, 1));
  const ids = JSON.stringify(types.map((type) => tableOf(type.sys).id ?? null).slice(0, 3));
  return {
    source: new Bun.CryptoHasher('sha256')
      .update(names + ids)
      .digest('hex')
      .slice(0, 12),
    types: new ContentfulTypes(source, { isPublic, file: (id) => assetFile(source, id) }).all(),
    accounts: [],
    ...(locales.length > 1 ? { languages: locales } : {}),
    leftOut: [
      { place: 'files', why: 'Those that no entry names are left out.' },
      ...otherFiles(source),
      { place: 'webhooks, roles, editor interfaces, tags', why: 'They are about Contentful itself.' },
    ],
    options: {
      public: {
        value: isPublic ? 'yes' : 'no',
        about:
          'Whether everyone may read what is published: yes, or no. Contentful shows it to those who have a key. After a change, plan again with --set public=yes.',
      },
    },
    async open({ key }) {
      const address = addressOf(source, key);
      if (address === undefined) return { reason: 'it has no address' };
      const { host, pathname } = new URL(address);
      const segments = [host, ...pathname.slice(1).split('/').map(decoded)];
      const path = isDownloaded(segments) ? await localFile(source.folder, segments) : undefined;
      if (path !== undefined) return storedChunks(Bun.file(path));
      return source.fetcher === undefined
        ? { reason: 'not in the folder of files' }
        : fetchedFile(address, source.fetcher);
    },
  };
}

const hosts = /(?:^|\.)(?:ctfassets\.net|contentful\.com)$/;

/** Whether `--download-assets` makes such a file. The folder can have others beside it, which no address may name. */
const isDownloaded = (segments: readonly string[]): boolean =>
  hosts.test(segments[0] ?? '') && !segments.some((segment) => segment.startsWith('.'));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The file of an asset: that of the main language, or of the first that has one. */
function fileOf({ assets, locales }: ContentfulSource, id: string): Table | undefined {
  const file = tableOf(tableOf(assets.get(id)?.fields).file);
  const own = locales.map((locale) => tableOf(file[locale])).find(({ url }) => typeof url === 'string');
  return own ?? (typeof file.url === 'string' ? file : undefined);
}

/** An asset has one file here. */
function otherFiles({ assets }: ContentfulSource): readonly LeftOut[] {
  const several = [...assets.values()].filter(({ fields }) => {
    const urls = Object.values(tableOf(tableOf(fields).file)).map((each) => tableOf(each).url);
    return new Set(urls.filter((url) => typeof url === 'string')).size > 1;
  });
  if (several.length === 0) return [];
  const why = `${several.length} assets have a file for each locale: that of the main one is taken.`;
  return [{ place: 'files in other locales', why }];
}

function addressOf(source: ContentfulSource, id: string): string | undefined {
  const url = fileOf(source, id)?.url;
  const whole = typeof url === 'string' && url.startsWith('//') ? `https:${url}` : url;
  return typeof whole === 'string' && URL.canParse(whole) && /^https?:/.test(whole) ? whole : undefined;
}

function assetFile(source: ContentfulSource, id: string): ForeignFile | undefined {
  const asset = source.assets.get(id);
  const file = fileOf(source, id);
  if (asset === undefined || file === undefined) return undefined;
  const { title, description } = tableOf(asset.fields);
  const said = (value: JsonValue | undefined): string | null => {
    const text = source.locales.map((locale) => tableOf(value)[locale]).find((each) => typeof each === 'string');
    return typeof text === 'string' ? text : null;
  };
  const { createdAt, publishedVersion } = tableOf(asset.sys);
  const time = typeof createdAt === 'string' ? Date.parse(createdAt) : Number.NaN;
  return new ForeignFile(id, String(file.fileName ?? id), {
    ...{ alt: said(description), caption: said(title) },
    visibility: publishedVersion === undefined || publishedVersion === null ? 'private' : 'public',
    ...(Number.isNaN(time) ? {} : { createdAt: new Date(time).toISOString() }),
  });
}
