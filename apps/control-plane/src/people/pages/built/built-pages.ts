import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HTML_TYPE, type Page } from '@svc/http/wires/page.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../../console/dist');

/**
 * Scripts and styles from this plane alone, and nothing written into the page: what gets into a text there is a text. Pictures may come as
 * data, for the code that is scanned when a generator of one-time codes is enrolled.
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

export type BuiltPages = { readonly page: Page; readonly files: ReadonlyMap<string, Page> };

const read = (): BuiltPages => {
  const assets = path.join(FOLDER, 'assets');
  const files = readdirSync(assets).flatMap((name): [string, Page][] => {
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

/** The pages of the console as they were built, read once; undefined as long as they are not. */
export const builtPages = (): BuiltPages | undefined => {
  if (known.built === undefined && existsSync(path.join(FOLDER, 'index.html'))) known.built = read();
  return known.built;
};

const listOrigins = (url: string): readonly string[] => (URL.canParse(url) ? [new URL(url).origin] : []);

/** The document of pages that act as an agent: the same one, which may also connect to the gateway. */
export const pageForGateway = (page: Page, gatewayUrl: string): Page => ({ ...page, policy: joinPolicy(...listOrigins(gatewayUrl)) });
