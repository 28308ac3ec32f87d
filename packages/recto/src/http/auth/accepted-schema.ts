import Type from 'typebox';

/** The body of a 202 that says nothing about what follows. */
export const acceptedSchema = Type.Object({}, { additionalProperties: false });
