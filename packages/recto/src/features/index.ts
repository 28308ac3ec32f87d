import { settingTable } from '../config/setting-table.ts';
import type { DefinitionSource } from '../definition/definition-source.ts';
import { accounts } from './accounts/accounts-feature.ts';
import { admin } from './admin/admin-feature.ts';
import { adminViews } from './admin-views/admin-views-feature.ts';
import { agents } from './agents/agents-feature.ts';
import { calendar } from './calendar/calendar-feature.ts';
import { comments } from './comments/comments-feature.ts';
import { contentTypes } from './content-types/content-types-feature.ts';
import { events } from './events/events-feature.ts';
import type { Feature, TypeSettings } from './feature.ts';
import { health } from './health/health-feature.ts';
import { hooks } from './hooks/hooks-feature.ts';
import { jobs } from './jobs/jobs-feature.ts';
import { mail } from './mail/mail-feature.ts';
import { media } from './media/media-feature.ts';
import { metrics } from './metrics/metrics-feature.ts';
import { notes } from './notes/notes-feature.ts';
import { notifications } from './notifications/notifications-feature.ts';
import { openApi } from './openapi/openapi-feature.ts';
import { pictures } from './pictures/pictures-feature.ts';
import { presence } from './presence/presence-feature.ts';
import { previews } from './previews/previews-feature.ts';
import { publicFilesFeature } from './public-files/public-files-feature.ts';
import { publications } from './publications/publications-feature.ts';
import { records } from './records/records-feature.ts';
import { releases } from './releases/releases-feature.ts';
import { roles } from './roles/roles-feature.ts';
import { system } from './system/system-feature.ts';
import { transfer } from './transfer/transfer-feature.ts';
import { webhooks } from './webhooks/webhooks-feature.ts';

/** All features of the product. */
export const features: readonly Feature[] = [
  records,
  events,
  publications,
  comments,
  contentTypes,
  media,
  accounts,
  roles,
  jobs,
  pictures,
  mail,
  webhooks,
  transfer,
  adminViews,
  presence,
  notes,
  releases,
  previews,
  calendar,
  notifications,
  hooks,
  health,
  system,
  metrics,
  agents,
  openApi,
  admin,
  publicFilesFeature,
];

/** The content types that ship with the product. A definition file adds fields to one with `extends = "page"`. */
export const builtInTypesFor = (settings: TypeSettings): readonly DefinitionSource[] =>
  features.flatMap((feature) => [...(feature.types ?? []), ...(feature.configuredTypes?.(settings) ?? [])]);

/** The same with the default settings. */
export const builtInTypes = builtInTypesFor({ mediaPresets: settingTable.mediaPresets.default });
