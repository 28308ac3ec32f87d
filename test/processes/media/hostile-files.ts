/** A file that tries to run a script where it is shown. */
export interface HostileFile {
  readonly name: string;
  /** As the uploader names it, which is wrong. */
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const script = 'document.title="ran";fetch("/beacon?ran");alert(1)';
const html = `<!doctype html><html><head><title>x</title><script>${script}</script></head><body onload='${script}'></body></html>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload='${script}'><script>${script}</script></svg>`;

const gif = Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0080\u0000\u0000', 'latin1');
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00, 0x01]);

/** What runs a script if it is taken for a document, a script or a page of another kind. */
const contents: Readonly<Record<string, string | Buffer>> = {
  html,
  'html in capitals': html.toUpperCase().replace(script.toUpperCase(), script),
  'html after white space': `${' \n\t'.repeat(200)}${html}`,
  'html after a mark': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(html)]),
  'html in UTF-16': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(html, 'utf16le')]),
  'html in UTF-7': `+ADw-script+AD4-${script}+ADw-/script+AD4-`,
  'html after NUL': Buffer.concat([Buffer.alloc(3), Buffer.from(html)]),
  'html behind a GIF': Buffer.concat([gif, Buffer.from(html)]),
  'html behind a PNG': Buffer.concat([png, Buffer.from(html)]),
  'html behind a JPEG': Buffer.concat([jpeg, Buffer.from(html)]),
  'html behind a PDF': `%PDF-1.7\n${html}`,
  'a script in a PDF': `%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj trailer<</Root 1 0 R>>`,
  svg,
  'svg with a prolog': `<?xml version="1.0"?>${svg}`,
  'svg with a type': `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg}`,
  'svg with foreign parts': svg.replace(
    '<script>',
    `<foreignObject><iframe srcdoc="&lt;script&gt;parent.${script}&lt;/script&gt;"/></foreignObject><script>`,
  ),
  'svg with entities': `<!DOCTYPE svg [<!ENTITY a "${script.replaceAll('"', '&quot;')}">]><svg xmlns="http://www.w3.org/2000/svg"><script>&a;</script></svg>`,
  xhtml: `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><script>${script.replaceAll('&', '&amp;')}</script></head></html>`,
  'xml with a style': `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">${script}</x:script>`,
  javascript: script,
  'javascript and GIF': `GIF89a=1;${script}`,
  mhtml: `MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\nContent-Type: text/html\n\n${html}\n--x--`,
  mathml: `<math xmlns="http://www.w3.org/1998/Math/MathML" href="javascript:${script}"><mtext>x</mtext></math>`,
};

const disguises: readonly (readonly [name: string, type: string])[] = [
  ['x.html', 'text/html'],
  ['x.svg', 'image/svg+xml'],
  ['x.png', 'image/png'],
  ['x.pdf', 'application/pdf'],
  ['x.xhtml', 'application/xhtml+xml'],
  ['x.js', 'text/javascript'],
  ['../../x.html\u202e', 'text/html; charset=utf-16'],
  [`${'long'.repeat(1000)}.html`, 'multipart/related; boundary=x'],
  ['\u202elmth.x"; filename="y.html', 'video/mp4'],
];

/** Every content under every disguise. */
export const hostileFiles = (): readonly HostileFile[] =>
  Object.entries(contents).flatMap(([kind, content]) =>
    disguises.map(([name, type]) => ({
      name: `${kind} ${name}`,
      type: type.startsWith('multipart/form-data') ? 'application/octet-stream' : type,
      bytes: new Uint8Array(Buffer.isBuffer(content) ? content : Buffer.from(content)),
    })),
  );
