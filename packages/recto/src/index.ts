export { FatalError } from './base/fatal-error.ts';
export type { GivenSettings } from './config/settings.ts';
export type { ContentTypes } from './definition/content-type.ts';
export { type ContentTypeDefinition, defineContentType } from './definition/define-content-type.ts';
export { createRecto } from './service/create-recto.ts';
export type { AddressSource, Recto, RectoOptions, Started, StartOptions } from './service/recto.ts';
