export { default as Type } from 'typebox';
export { FatalError } from './base/fatal-error.ts';
export { Problem } from './base/problem.ts';
export type { GivenSettings } from './config/settings.ts';
export type { ContentTypes } from './definition/content-type.ts';
export { type ContentTypeDefinition, defineContentType } from './definition/define-content-type.ts';
export type {
  Content,
  GetParameters,
  HookDatabase,
  Listed,
  ListParameters,
  Singular,
  StoredRecordOf,
  SystemDatabase,
  WrittenRecordOf,
} from './hooks/content.ts';
export { type CronContext, type CronJob, type CronOptions, cron } from './hooks/cron.ts';
export type { HookCaller } from './hooks/hook-caller.ts';
export type { HookMail, HookMails } from './hooks/hook-mail.ts';
export {
  type AfterContext,
  type CheckContext,
  type HookEvent,
  type HookHandlers,
  type Hooks,
  hooks,
  type WriteContext,
} from './hooks/hooks.ts';
export type * from './hooks/register.ts';
export { type CustomRoute, type RouteContext, type RouteOptions, route } from './hooks/route.ts';
export { createRecto } from './service/create-recto.ts';
export type { AddressSource, Recto, RectoOptions, Started, StartOptions } from './service/recto.ts';
