export const tusVersion = '1.0.0';

/** The extensions of the protocol (https://tus.io/protocols/resumable-upload) that are answered. */
export const tusExtensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];

/** A client that cannot send PATCH, DELETE or HEAD names the method in this header of a POST request. */
export const methodOverride = 'X-HTTP-Method-Override';
