import type { Span } from './rule-tree.ts';

/** Most characters of the rule's line that a message shows. */
const shownCharacters = 100;
const shownBefore = 60;

/** A rule that cannot be parsed or does not fit its content type. The message's last two lines are the rule and carets. */
export class RuleError extends Error {
  /** What is wrong and how to fix it, without the rule's text. */
  readonly reason: string;
  /** UTF-16 units from the start of the rule; its length for an error at the end. */
  readonly position: number;
  /** From 1. */
  readonly line: number;
  /** In code points, from 1. */
  readonly column: number;

  constructor(reason: string, source: string, span: Span) {
    const before = source.slice(0, span.start).split('\n');
    const column = [...(before.at(-1) ?? '')].length;
    super(`${reason}\n${excerpt(source, span, column)}`);
    this.name = 'RuleError';
    this.reason = reason;
    this.position = span.start;
    this.line = before.length;
    this.column = column + 1;
  }
}

/** A rule that names a field which its type does not have. */
export class UnknownField extends RuleError {
  /** The singular of the type. */
  readonly type: string;
  readonly field: string;

  constructor(reason: string, source: string, span: Span, { type, field }: { type: string; field: string }) {
    super(reason, source, span);
    this.type = type;
    this.field = field;
  }
}

/** The line of the error and carets under it, both cut to a readable width. */
function excerpt(source: string, span: Span, column: number): string {
  const lineStart = source.slice(0, span.start).lastIndexOf('\n') + 1;
  const lineEnd = source.indexOf('\n', span.start);
  const characters = [...source.slice(lineStart, lineEnd === -1 ? source.length : lineEnd)];
  const first = Math.max(0, column - shownBefore);
  const shown = characters.slice(first, first + shownCharacters).join('');
  const cutBefore = first > 0 ? '…' : '';
  const cutAfter = characters.length > first + shownCharacters ? '…' : '';
  const room = Math.max(1, Math.min(characters.length, first + shownCharacters) - column);
  const width = Math.min(room, Math.max(1, [...source.slice(span.start, span.end)].length));
  // A tab or a control character would move the caret away from its place.
  const line = shown.replace(/[\p{Cc}\p{Cs}]/gu, ' ');
  return `  ${cutBefore}${line}${cutAfter}\n  ${' '.repeat(cutBefore.length + column - first)}${'^'.repeat(width)}`;
}
