/** What relations to accounts have as their target. No definition can have such a name. */
export const profileSingular = 'recto:profile';
