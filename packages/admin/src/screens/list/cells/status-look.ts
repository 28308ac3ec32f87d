export interface StatusLook {
  readonly kind: 'neutral' | 'success' | 'warning' | 'danger' | 'accent';
  /** Filled: it is out; a ring: it is not. Colour alone says nothing. */
  readonly dot: 'filled' | 'ring';
}

const looks: ReadonlyMap<string, StatusLook> = new Map([
  ['published', { kind: 'success', dot: 'filled' }],
  ['approved', { kind: 'success', dot: 'filled' }],
  ['active', { kind: 'success', dot: 'filled' }],
  ['pending', { kind: 'warning', dot: 'ring' }],
  ['review', { kind: 'warning', dot: 'ring' }],
  ['scheduled', { kind: 'accent', dot: 'ring' }],
  ['rejected', { kind: 'danger', dot: 'ring' }],
  ['spam', { kind: 'danger', dot: 'ring' }],
]);

/** How a status looks. Words that nobody knows look neutral: their text says what they are. */
export const statusLook = (status: string): StatusLook =>
  looks.get(status.toLowerCase()) ?? { kind: 'neutral', dot: 'ring' };
