/** Begins the names of attributes that the page's Content-Security-Policy would report, even in a document that is never shown. */
const prefix = 'data-recto-';

/** The attribute that `style` is while it is guarded. */
export const guardedStyle = `${prefix}style`;

// The name ends where no letter of it can follow, so that a text without an end of a tag is not searched again from each letter.
const tag = /<([a-zA-Z][^\s/>]*)(?=[\s/>])((?:"[^"]*"|'[^']*'|[^'">])*)>/g;
const attribute = /([^\s"'<>/=]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;

/**
 * HTML in which `style` and event handlers have other names, and style sheets are templates. This keeps the browser from reporting what
 * somebody pasted; it is no protection: that is the schema's, and the service's.
 */
export const guardedHtml = (html: string): string =>
  html
    .replace(/<(\/?)style(?=[\s/>])/gi, '<$1template')
    .replace(
      tag,
      (_, name: string, attributes: string) =>
        `<${name}${attributes.replace(attribute, (all, key: string) => (/^(?:style|on.*)$/i.test(key) ? `${prefix}${all}` : all))}>`,
    );

/** HTML as it was before it was guarded, for what is kept as it is. */
export const unguardedHtml = (html: string): string =>
  html.replace(tag, (_, name: string, attributes: string) => {
    const shown = attributes.replace(attribute, (all, key: string) =>
      key.startsWith(prefix) ? all.slice(prefix.length) : all,
    );
    return `<${name}${shown}>`;
  });
