/** English texts of the area "people". */
export const people = {
  title: '',
} as const;
