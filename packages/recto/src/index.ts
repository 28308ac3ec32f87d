export { type ContentTypeDefinition, defineContentType } from './definition/definition-file.ts';
