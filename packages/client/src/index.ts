export type { Aggregate, AggregateKey, AggregateOptions } from './aggregate.ts';
export type {
  Account,
  AddedPasskey,
  Auth,
  AuthOptions,
  AuthProvider,
  CodeChallenge,
  FactorMethod,
  GivenFactor,
  Identity,
  Passkey,
  SecondFactorRequired,
  SecondFactors,
  StepUpOptions,
} from './auth.ts';
export type {
  ChangeOptions,
  CreateOptions,
  GetOptions,
  ListOptions,
  Reader,
} from './collection.ts';
export type {
  AnyContent,
  FieldName,
  IncludePath,
  Page,
  RecordOf,
  Result,
  Selected,
  TypeEntry,
  UntypedContent,
} from './content.ts';
export { type Client, type ClientOptions, type Collection, createClient, type Single } from './create-client.ts';
export { type ContentReader, createReader } from './create-reader.ts';
export type { ChangeEvent, EventsOptions } from './events.ts';
export { type Comparisons, type Filter, filterText } from './filter.ts';
export {
  type ClientErrorCode,
  type ErrorCode,
  type FieldError,
  isInvalid,
  RectoError,
} from './recto-error.ts';
export type { ServiceErrorCode } from './service-error-code.ts';
export type { SessionStore, Tokens } from './session.ts';
export { inStorage } from './storage-session.ts';
export type { CallOptions, RequestOptions, TransportOptions } from './transport.ts';
export type { UploadOptions } from './upload.ts';
