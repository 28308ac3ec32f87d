import { type ReadNumber, readBigint, readDecimal, readFloat, readInteger } from './number-text.ts';

/** How the text of a number of this field type is read. */
export function numberReader(fieldType: string): (text: string) => ReadNumber<number | string> {
  switch (fieldType) {
    case 'bigint':
      return readBigint;
    case 'decimal':
      return readDecimal;
    case 'float':
      return readFloat;
    default:
      return readInteger;
  }
}
