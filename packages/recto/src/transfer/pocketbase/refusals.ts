/** Why a comparison has no counterpart here, where several kinds of comparisons share the reason. */
export const refusals = {
  value: 'It compares with a value that means something else here.',
  order: 'Texts have another order here.',
  lost: 'It asks whether something is missing. Here it also is where that was not brought in.',
  allOfMany: 'It must hold for all of several values, which no rule says here.',
  wholeList: 'It compares with the whole list, which no rule does here: PocketBase looks into one with "~".',
} as const;
