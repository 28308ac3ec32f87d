export { type FieldError, RectoError } from './recto-error.ts';
