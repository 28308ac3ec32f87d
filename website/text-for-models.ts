import { addressOf, type Group } from './contents.ts';

/** The list of all pages that language models look for (https://llmstxt.org), with the addresses of their sources. */
export const textForModels = (contents: readonly Group[]): string =>
  `${[
    '# Recto',
    '> A content management service in TypeScript: a content type is described in a small file and gets a complete REST API, an admin in the browser, media, events, webhooks, hooks and a typed client, on SQLite or PostgreSQL.',
    'The description of the API as OpenAPI is at `/api/v1/openapi.json` of each installation.',
    ...contents.map(
      ({ text, items }) =>
        `## ${text}\n\n${items.map(({ text, page }) => `- [${text}](/docs/${addressOf(page)}.md)`).join('\n')}`,
    ),
  ].join('\n\n')}\n`;
