import type { Terminal } from '../base/terminal.ts';
import { type Finding, type Verdict, verdicts } from '../features/finding.ts';
import { diagnose } from '../service/doctor/diagnosis.ts';
import { type AnswerOptions, answer } from './answer.ts';

/** `recto doctor`. Resolves with the exit code: 1 when anything would keep the service from starting. */
export const examine = (terminal: Terminal, options: AnswerOptions): Promise<number> =>
  answer(terminal, options, async () => {
    const findings = await diagnose(terminal);
    const ok = findings.every(({ verdict }) => verdict !== 'fail');
    return { ok, text: findingsText(findings, terminal.colours === true), json: { findings } };
  });

/** A line for each finding, followed by its details and remedy; then the counts. */
function findingsText(findings: readonly Finding[], colours: boolean): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat(width + 8);
  const lines = findings.flatMap(({ check, verdict, detail, remedy }) => [
    `${marked(verdict, colours)}  ${check.padEnd(width)}  ${detail.replaceAll('\n', `\n${indent}`)}`,
    ...(remedy === undefined ? [] : [`${indent}→ ${remedy}`]),
  ]);
  const counts = verdicts.map((verdict) => `${findings.filter((one) => one.verdict === verdict).length} ${verdict}`);
  return `${lines.join('\n')}\n\n${counts.join(', ')}\n`;
}

const colourCodes = { ok: 32, warn: 33, fail: 31 } as const satisfies Record<Verdict, number>;

function marked(verdict: Verdict, colours: boolean): string {
  const word = verdict.padEnd(4);
  return colours ? `\u001b[${colourCodes[verdict]}m${word}\u001b[0m` : word;
}
