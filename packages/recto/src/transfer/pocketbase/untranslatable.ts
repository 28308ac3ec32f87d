/** Part of a rule that has no counterpart here. The message is sentences for a person. */
export class Untranslatable extends Error {}
