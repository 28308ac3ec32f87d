import type { LoadedRoute } from './loaded-code.ts';

/** The name of a route in the OpenAPI document, by its file: `send-quote` is `customSendQuote`. */
export const routeOperationId = ({ name }: Pick<LoadedRoute, 'name'>): string =>
  `custom${name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;
