import type { ENDPOINTS } from '@svc/contract/endpoints.ts';
import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { GUIDES, GUIDES_PATH, type GuideName, getGuideFile, getGuidePath } from '@svc/contract/tables/guides.ts';
import { PRODUCT_NAME } from '@svc/contract/tables/product.ts';
import { escapeHtml } from '../wires/page/escape-html.ts';
import { ICON_LINK } from '../wires/page/icon-link.ts';
import { HTML_TYPE, type StaticPage } from '../wires/page.ts';
import { FAVICONS } from './favicon.ts';
import { memoizeFirst } from './once.ts';
import { API_VERSION } from './version.ts';

type Plane = Endpoint['plane'];

/** Title and description of each plane. */
export const PLANES: Readonly<Record<Plane, { readonly title: string; readonly says: string; readonly other: Plane }>> = {
  control: {
    title: 'Control plane',
    other: 'gateway',
    says: 'For people, API keys and services: organizations, agents, tools, policies, approvals and the record of every decision.',
  },
  gateway: {
    title: 'Gateway',
    other: 'control',
    says: 'For agents: sign in, request each protected action, have it executed, and report its outcome.',
  },
};

const LINKS = [
  ['docs', '/docs', 'API reference of this plane'],
  ['errors', '/docs/errors', 'Error codes with their remedies'],
  ['openapi', '/openapi.json', 'OpenAPI document of this plane'],
  ['ready', '/health/ready', 'Readiness'],
  ['live', '/health/live', 'Liveness'],
] as const;

const GUIDES_TO_START = ['first-governed-tool', 'govern-a-function', 'running'] as const satisfies readonly GuideName[];

const STYLE = `:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; color: #1b1b1b; background: #fff }
a { color: #0b57d0 } code { font-size: .9em } li { margin: .3rem 0 }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #141414 } a { color: #8ab4f8 } }`;

const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const link = (href: string, text: string): string => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;

/** Link to the sign-in page, which only one of the planes has. */
const DOORS: Readonly<Record<Plane, string>> = {
  control: `<p>${link(buildConsolePath('overview'), 'Sign in')} to decide pending approvals, read the audit log, and manage members, credentials and webhooks. Before the first sign-up, <code>npm start</code> prints a set-up link.</p>`,
  gateway: '',
};

/** Returns the origin of the guides: the control plane; undefined on a gateway that does not know its address. */
const guidesOrigin = (plane: Plane, otherUrl: string | undefined): string | undefined => (plane === 'control' ? '' : otherUrl);

const guideAddress = (origin: string | undefined, name: GuideName): string =>
  origin === undefined ? getGuideFile(name) : `${origin}${getGuidePath(name)}`;

const toHtml = (plane: Plane, otherUrl: string | undefined): string => {
  const { title, says } = PLANES[plane];
  const other = PLANES[PLANES[plane].other];
  const links = LINKS.map(([, href, text]) => `<li>${link(href, href)}: ${escapeHtml(text)}`);
  const origin = guidesOrigin(plane, otherUrl);
  const guides = GUIDES_TO_START.map((name) => {
    const { title, summary } = GUIDES[name];
    const named = origin === undefined ? `<code>${getGuideFile(name)}</code>` : link(guideAddress(origin, name), title);
    return `<li>${named}: ${escapeHtml(summary)}</li>`;
  });
  const all = origin === undefined ? '' : `<li>${link(`${origin}${GUIDES_PATH}`, 'All guides')}</li>`;
  const beside =
    otherUrl === undefined ? '' : `<li>${link(otherUrl, otherUrl)}: the ${other.title.toLowerCase()}. ${escapeHtml(other.says)}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: ${PRODUCT_NAME}</title>${ICON_LINK}<link rel="stylesheet" href="/root.css"></head><body><main><h1>${PRODUCT_NAME}</h1>
<p>It runs, version ${API_VERSION}. This is its <strong>${title.toLowerCase()}</strong>. ${escapeHtml(says)}</p>
${DOORS[plane]}<h2>Here</h2><ul>${links.join('')}${beside}</ul>
<h2>Guides</h2><ul>${guides.join('')}${all}</ul>
</main></body></html>`;
};

const toJson = (plane: Plane, otherUrl: string | undefined): string =>
  JSON.stringify({
    name: PRODUCT_NAME,
    version: API_VERSION,
    plane,
    description: PLANES[plane].says,
    links: { ...Object.fromEntries(LINKS.map(([name, href]) => [name, href])), [PLANES[plane].other]: otherUrl ?? null },
    guides: GUIDES_TO_START.map((name) => guideAddress(guidesOrigin(plane, otherUrl), name)),
  });

type RootAsset = (typeof ENDPOINTS)['controlRoot' | 'gatewayRoot']['assets'][number];
type Asked = { readonly wantsHtml: () => boolean; readonly asset: RootAsset | undefined };

/** Creates the page at `/`, which describes the plane and its links: HTML for browsers, the same as JSON for other clients. */
export const newRootPage = (plane: Plane): ((asked: Asked, otherUrl: string | undefined) => StaticPage) => {
  const assets: Readonly<Record<RootAsset, StaticPage>> = {
    '/root.css': { type: 'text/css; charset=utf-8', bytes: Buffer.from(STYLE) },
    ...FAVICONS,
  };
  const filesOf = memoizeFirst((otherUrl: string | undefined) => ({
    html: { type: HTML_TYPE, bytes: Buffer.from(toHtml(plane, otherUrl)), policy: POLICY, vary: 'accept' } satisfies StaticPage,
    json: { type: 'application/json; charset=utf-8', bytes: Buffer.from(toJson(plane, otherUrl)), vary: 'accept' } satisfies StaticPage,
  }));
  return ({ asset, wantsHtml }, otherUrl) => {
    if (asset !== undefined) return assets[asset];
    const { html, json } = filesOf(otherUrl);
    return wantsHtml() ? html : json;
  };
};
