import { isEmbed } from '../html/allowed-html.ts';

const id = '([\\w-]{1,80})';

/** Pages of known players, and the address that shows each in a frame. */
const players: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`^(?:www\\.|m\\.)?youtube\\.com/watch\\?(?:.*&)?v=${id}(?:&.*)?$`),
    'https://www.youtube-nocookie.com/embed/$1',
  ],
  [
    new RegExp(`^(?:www\\.|m\\.)?youtube\\.com/(?:shorts|live)/${id}(?:\\?.*)?$`),
    'https://www.youtube-nocookie.com/embed/$1',
  ],
  [new RegExp(`^youtu\\.be/${id}(?:\\?.*)?$`), 'https://www.youtube-nocookie.com/embed/$1'],
  [/^(?:www\.)?vimeo\.com\/(\d{1,20})(?:\?.*)?$/, 'https://player.vimeo.com/video/$1'],
  [new RegExp(`^(?:www\\.)?dailymotion\\.com/video/${id}(?:\\?.*)?$`), 'https://www.dailymotion.com/embed/video/$1'],
  [
    /^open\.spotify\.com\/(track|album|playlist|episode|show)\/(\w{1,40})(?:\?.*)?$/,
    'https://open.spotify.com/embed/$1/$2',
  ],
  [new RegExp(`^(?:www\\.)?ted\\.com/talks/${id}(?:\\?.*)?$`), 'https://embed.ted.com/talks/$1'],
  [/^podcasts\.apple\.com\/([\w/%.-]{1,300})(\?i=\d{1,20})?(?:&.*)?$/, 'https://embed.podcasts.apple.com/$1$2'],
  [new RegExp(`^codepen\\.io/${id}/pen/${id}(?:\\?.*)?$`), 'https://codepen.io/$1/embed/$2'],
];

/** The address of the frame that shows what is at an address; undefined where no frame is known. */
export function embedAddress(text: string): string | undefined {
  const address = text.trim();
  if (address.length > 500 || !/^https?:\/\/\S+$/.test(address)) return undefined;
  const place = address.replace(/^https?:\/\//, '').replace(/\/?(?:#.*)?$/, '');
  for (const [pattern, frame] of players) if (pattern.test(place)) return place.replace(pattern, frame);
  return undefined;
}

/** As `embedAddress`, and the address of a frame itself, if the service keeps it. */
export function frameAddress(text: string): string | undefined {
  const known = embedAddress(text);
  if (known !== undefined) return known;
  const url = URL.parse(text.trim());
  return url !== null && isEmbed(url.href) && /embed|player|\/video\//i.test(url.pathname) ? url.href : undefined;
}
