export { type ContentTypeDefinition, defineContentType } from './definition/define-content-type.ts';
