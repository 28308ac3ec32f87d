import type { DefinitionSource } from '../definition/definition-source.ts';
import { accounts } from './accounts/accounts-feature.ts';
import { comments } from './comments/comments-feature.ts';
import { contentTypes } from './content-types/content-types-feature.ts';
import { events } from './events/events-feature.ts';
import type { Feature } from './feature.ts';
import { health } from './health/health-feature.ts';
import { jobs } from './jobs/jobs-feature.ts';
import { metrics } from './metrics/metrics-feature.ts';
import { openApi } from './openapi/openapi-feature.ts';
import { publications } from './publications/publications-feature.ts';
import { records } from './records/records-feature.ts';
import { webhooks } from './webhooks/webhooks-feature.ts';

/** All features of the product. */
export const features: readonly Feature[] = [
  records,
  events,
  publications,
  comments,
  contentTypes,
  accounts,
  jobs,
  webhooks,
  health,
  metrics,
  openApi,
];

/** The content types that ship with the product. A definition file adds fields to one with `extends = "page"`. */
export const builtInTypes: readonly DefinitionSource[] = features.flatMap(({ types = [] }) => types);
