import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Draws the sequence pictures of `docs/sign-in/`: `bun scripts/sequence-pictures.ts`.

/** One line of a picture: from whom to whom, and what; `dim`: an answer. */
type Step = readonly [from: number, to: number, text: string, dim?: 'answer'];

interface Picture {
  readonly title: string;
  readonly parties: readonly string[];
  readonly steps: readonly Step[];
}

const pictures: Readonly<Record<string, Picture>> = {
  'second-factors': {
    title:
      'A sign-in with a second factor: the right password gets a challenge, and the challenge with a code gets the tokens.',
    parties: ['Person', 'Page', 'Recto'],
    steps: [
      [0, 1, 'address and password'],
      [1, 2, 'POST /auth/login'],
      [2, 1, '403 second_factor_required: challenge, methods', 'answer'],
      [0, 1, 'the code that the app shows'],
      [1, 2, 'POST /auth/second-factor: challenge, code'],
      [2, 1, '200: tokens', 'answer'],
    ],
  },
  passkeys: {
    title:
      'A sign-in with a passkey: the authenticator signs the challenge for the origin of the page, and Recto checks both.',
    parties: ['Authenticator', 'Browser', 'Recto'],
    steps: [
      [1, 2, 'POST /auth/passkeys/options'],
      [2, 1, '200: challenge, options', 'answer'],
      [1, 0, 'sign this for cms.example.com'],
      [0, 1, 'signature, after a fingerprint or PIN', 'answer'],
      [1, 2, 'POST /auth/passkeys/login: challenge, response'],
      [2, 1, '200: tokens', 'answer'],
    ],
  },
  'step-up': {
    title:
      'A step-up: a request that takes a recent proof is refused, the proof is given, and the request is sent again.',
    parties: ['Person', 'Page', 'Recto'],
    steps: [
      [1, 2, 'DELETE /admin/users/…'],
      [2, 1, '403 step_up_required: methods', 'answer'],
      [0, 1, 'password, code or passkey'],
      [1, 2, 'POST /auth/me/step-up'],
      [2, 1, '204: for ten minutes', 'answer'],
      [1, 2, 'DELETE /admin/users/…'],
      [2, 1, '204', 'answer'],
    ],
  },
};

const between = 320;
const margin = 90;
const top = 60;
const lineHeight = 44;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function drawn({ title, parties, steps }: Picture): string {
  const width = margin * 2 + between * (parties.length - 1);
  const height = top + lineHeight * steps.length + 24;
  const x = (party: number): number => margin + between * party;
  const heads = parties.map((party, place) => {
    const left = x(place) - 70;
    return `  <path class="life" d="M${x(place)} 44 V${height - 12}"/>
  <rect class="box" x="${left}" y="12" width="140" height="32" rx="6"/>
  <text class="head" x="${x(place)}" y="33">${escaped(party)}</text>`;
  });
  const lines = steps.map(([from, to, text, kind], place) => {
    const y = top + lineHeight * place + 28;
    const direction = to > from ? 1 : -1;
    const [start, end] = [x(from) + direction * 4, x(to) - direction * 4];
    const line = kind === 'answer' ? 'line answer' : 'line';
    return `  <text x="${(start + end) / 2}" y="${y - 8}">${escaped(text)}</text>
  <path class="${line}" d="M${start} ${y} H${end - direction * 8}"/><path class="tip" d="M${end - direction * 10} ${y - 5} l${direction * 10} 5 l${-direction * 10} 5 z"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
  <title id="title">${escaped(title)}</title>
  <style>
    text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1c1c28; text-anchor: middle; }
    .head { font-size: 14px; font-weight: 600; }
    .box { fill: #eef0ff; stroke: #5b63d3; }
    .life { stroke: #c9c9d6; }
    .line { stroke: #5b63d3; stroke-width: 1.5; fill: none; }
    .answer { stroke-dasharray: 5 4; }
    .tip { fill: #5b63d3; }
    @media (prefers-color-scheme: dark) {
      text { fill: #ececf4; }
      .box { fill: #26284a; stroke: #8f97ff; }
      .life { stroke: #4a4a5c; }
      .line { stroke: #8f97ff; }
      .tip { fill: #8f97ff; }
    }
  </style>
${[...heads, ...lines].join('\n')}
</svg>
`;
}

const folder = join(import.meta.dir, '../docs/images');
for (const [name, picture] of Object.entries(pictures))
  writeFileSync(join(folder, `sign-in-${name}.svg`), drawn(picture));
