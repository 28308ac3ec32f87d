/** Whether a browser may show a file itself. Never SVG, which is a document that can have scripts, and nothing of an unknown type. */
export const isInline = (mimeType: string): boolean =>
  mimeType !== 'image/svg+xml' && (/^(?:image|video|audio)\//.test(mimeType) || mimeType === 'application/pdf');

/** RFC 6266, with the name in ASCII for clients that know nothing else. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
