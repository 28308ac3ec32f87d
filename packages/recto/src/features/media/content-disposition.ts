/**
 * Whether a browser may show a file itself. Never SVG, which is a document that can have scripts, and nothing of an unknown type.
 * Parameters, letter case and spaces change nothing: browsers compare the type alone as well.
 */
export function isInline(mimeType: string): boolean {
  const [type = ''] = mimeType.split(';');
  const name = type.trim().toLowerCase();
  return name !== 'image/svg+xml' && (/^(?:image|video|audio)\/[a-z0-9.+-]+$/.test(name) || name === 'application/pdf');
}

/** RFC 6266, with the name in ASCII for clients that know nothing else. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
