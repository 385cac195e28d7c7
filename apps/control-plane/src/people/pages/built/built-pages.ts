import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HTML_TYPE, type StaticPage } from '@svc/http/wires/page.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../../console/dist');

/**
 * Builds the Content-Security-Policy: scripts and styles only from this plane, none inline, so that injected text stays text. Images may be
 * data URLs, for the QR code of a TOTP enrolment.
 */
const joinPolicy = (...connected: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...connected].join(' '),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
const POLICY = joinPolicy();

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

export type BuiltPages = { readonly page: StaticPage; readonly files: ReadonlyMap<string, StaticPage> };

const read = (): BuiltPages => {
  const assets = path.join(FOLDER, 'assets');
  const files = readdirSync(assets).flatMap((name): [string, StaticPage][] => {
    const type = TYPES[path.extname(name)];
    if (type === undefined) return [];
    const [bytes, br, gzip] = ['', '.br', '.gz'].map((ending) => readFileSync(path.join(assets, `${name}${ending}`))) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    return [[name, { type, bytes, compressed: { br, gzip } }]];
  });
  return { page: { type: HTML_TYPE, bytes: readFileSync(path.join(FOLDER, 'index.html')), policy: POLICY }, files: new Map(files) };
};

const known: { built?: BuiltPages } = {};

/** Reads the built pages of the console once; undefined until they are built. */
export const readBuiltPages = (): BuiltPages | undefined => {
  if (known.built === undefined && existsSync(path.join(FOLDER, 'index.html'))) known.built = read();
  return known.built;
};

const listOrigins = (url: string): readonly string[] => (URL.canParse(url) ? [new URL(url).origin] : []);

/** Returns the document of pages that act as an agent, which may also connect to the gateway. */
export const pageForGateway = (page: StaticPage, gatewayUrl: string): StaticPage => ({
  ...page,
  policy: joinPolicy(...listOrigins(gatewayUrl)),
});
