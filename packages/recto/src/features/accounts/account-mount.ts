import { join } from 'node:path';
import { adminFolder, program } from '../../base/program.ts';
import { staticFiles } from '../../http/files/static-files.ts';
import type { Mount } from '../../http/mount.ts';

/** The page runs its own script and talks to this service; it loads nothing else and cannot be framed. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** `/account/{action}`: the page that links in mails lead to. It is static, and the token in its address is not sent here. */
export const accountMount = (folder: string = join(adminFolder(), 'account')): Mount =>
  staticFiles({
    prefix: '/account',
    folder,
    embedded: program === 'executable',
    fallback: 'index.html',
    headers: {
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    },
    precompressed: true,
  });
