import { escapeHtml } from './fill-template.ts';
import type { MailText, MailTexts } from './mail-text.ts';

/** The built-in template of a mail as text: its first line is the subject. */
export function defaultText({ subject, lines, button, code, after = [] }: MailText, { from }: MailTexts): string {
  const middle = [...(button === undefined ? [] : [`${button}:\n{{link}}`]), ...(code === undefined ? [] : [code])];
  return [`Subject: ${subject}`, ...lines, ...middle, ...after, `-- \n${from}`].join('\n\n');
}

/**
 * The built-in template of a mail as HTML. Styles are inline, as mail programs need it, and again for the dark look of those that
 * have one. Nothing is loaded from anywhere.
 */
export function defaultHtml(
  { subject, lines, button, code, after = [] }: MailText,
  { from, orOpen }: MailTexts,
  language: string,
): string {
  // A list has a line for each of its items.
  const paragraph = (text: string): string =>
    `<p class="text" style="margin:0 0 16px;color:#1d2025${text === '{{list}}' ? ';white-space:pre-line' : ''}">${escapeHtml(text)}</p>`;
  const action = button === undefined ? '' : actionHtml(button, orOpen);
  const shown =
    code === undefined
      ? ''
      : `<p class="text" style="margin:0 0 16px;font-size:28px;letter-spacing:4px;font-weight:600;color:#1d2025">${escapeHtml(code)}</p>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #15171a !important; }
  .card { background: #1d2024 !important; border-color: #34383e !important; }
  .text { color: #e8eaed !important; }
  .quiet { color: #a3a9b2 !important; }
  .button { background: #8ab4ff !important; color: #0d1a33 !important; }
  .link { color: #8ab4ff !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f5f7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="page" style="background:#f4f5f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="card" style="max-width:520px;background:#ffffff;border:1px solid #dfe2e7;border-radius:8px">
<tr><td style="padding:32px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;text-align:left">
<p class="quiet" style="margin:0 0 24px;font-size:14px;color:#5a616b">{{site}}</p>
${lines.map(paragraph).join('\n')}
${shown}${action}${after.map(paragraph).join('\n')}
<p class="quiet" style="margin:24px 0 0;font-size:13px;color:#5a616b">${escapeHtml(from)}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

const actionHtml = (button: string, orOpen: string): string =>
  `<p style="margin:24px 0"><a href="{{link}}" class="button" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1f5fd0;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button)}</a></p>
<p class="quiet" style="margin:0 0 4px;font-size:13px;color:#5a616b">${escapeHtml(orOpen)}</p>
<p style="margin:0 0 24px;font-size:13px;word-break:break-all"><a href="{{link}}" class="link" style="color:#1f5fd0">{{link}}</a></p>
`;
