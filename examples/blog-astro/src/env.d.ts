declare namespace App {
  interface Locals {
    /** The client of the visitor: signed in, where they are. */
    recto: import('./sessions.ts').Recto;
    account: import('@recto/client').Account | undefined;
    isEditor: boolean;
    language: import('./languages.ts').PageLanguage;
    /** What a preview token shows; undefined: there is none. */
    preview: import('@recto/client').ContentReader<import('./content.ts').Content> | undefined;
  }
}
