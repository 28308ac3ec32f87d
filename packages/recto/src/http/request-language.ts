import { knownMailLanguage, type MailLanguage } from '../mail/templates/mail-kind.ts';
import type { RequestContext } from './operation.ts';

/** The first language of a request that mails are written in (`Accept-Language`); English where there is none. */
export function languageOf({ request }: Pick<RequestContext, 'request'>): MailLanguage {
  const tags = (request.headers.get('accept-language') ?? '').slice(0, 500).split(',');
  const weighed = tags
    .map((part) => {
      const [tag = '', weight = ''] = part.split(';');
      const quality = /^\s*q=([\d.]+)\s*$/.exec(weight)?.[1];
      return { language: knownMailLanguage(tag.trim()), quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ language, quality }) => quality > 0 && language !== undefined);
  return weighed.toSorted((one, other) => other.quality - one.quality)[0]?.language ?? 'en';
}
