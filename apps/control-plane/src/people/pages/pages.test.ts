import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { buildPages } from '@svc/testing/browser/build-pages.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';

let planes: Planes;
before(async () => {
  buildPages();
  planes = await leasePlanes();
});
after(() => planes.stop());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => fetch(`${planes.controlUrl}${path}`, { headers });
const readFiles = async (): Promise<string[]> =>
  [...(await (await get('/sign-in')).text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');

test('getPage: every view is one page that runs only its own script, and cannot be framed or cached and sends no referrer', async () => {
  const { path, assets } = ENDPOINTS.getPage;
  const texts = new Set<string>();
  for (const view of [path, ...assets]) {
    const answer = await get(view);
    assert.equal(answer.status, 200, view);
    const policy = answer.headers.get('content-security-policy') ?? '';
    const rules = [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ];
    for (const rule of rules) assert.ok(policy.split('; ').includes(rule), `${rule} in ${policy}`);
    assert.ok(!policy.includes('unsafe'));
    const { headers } = answer;
    const others = [
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'referrer-policy',
      'cache-control',
      'x-content-type-options',
    ];
    assert.deepEqual(
      others.map((name) => headers.get(name)),
      ['same-origin', 'same-origin', 'no-referrer', 'no-store', 'nosniff'],
    );
    texts.add(await answer.text());
  }
  const [text = '', ...more] = texts;
  assert.equal(more.length, 0);
  assert.doesNotMatch(text, /<style|style="|\son\w+=|<script(?![^>]* src="\/assets\/)/);
});

test('getPageFile: a file of a page is cached for a year under a content hash, and compressed for clients that accept it', async () => {
  const files = (await readFiles()).filter((path) => path.startsWith('/assets/'));
  assert.ok(files.length >= 2, files.join());
  for (const file of files) {
    const [plain, zipped, packed] = await Promise.all(
      ['identity', 'gzip', 'gzip, br'].map((encoding) => get(file, { 'accept-encoding': encoding })),
    );
    assert.ok(plain && zipped && packed);
    assert.deepEqual([plain.status, plain.headers.get('content-encoding')], [200, null]);
    assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000');
    assert.deepEqual([zipped.headers.get('content-encoding'), zipped.headers.get('vary')], ['gzip', 'accept-encoding']);
    assert.equal(packed.headers.get('content-encoding'), 'br');
    const text = await plain.text();
    assert.deepEqual([await zipped.text(), await packed.text()], [text, text]);
    const refused = await get(file, { 'accept-encoding': 'gzip;q=0' });
    assert.equal(refused.headers.get('content-encoding'), null);
  }
});

test('getPageFile finds only files of the build, for any path', async () => {
  for (const path of ['nothing.js', '..%2findex.html', '..%2f..%2fpackage.json', 'index.html', '%00', '__proto__', 'built-from.txt'])
    assert.equal((await get(`/assets/${path}`)).status, 404, path);
});

/** Lists what a script imports statically, or on demand. */
const listImports = (text: string, how: 'with itself' | 'later'): string[] =>
  [...text.matchAll(how === 'later' ? /import\(["'`]\.\/([\w.-]+\.js)["'`]\)/g : /from\s*["']\.\/([\w.-]+\.js)["']/g)].map(
    ([, name]) => `/assets/${name}`,
  );

test('each page loads at most 200 kB, compressed, and only what it shows', async () => {
  const texts = new Map<string, string>();
  const sizes = new Map<string, number>();
  const load = async (path: string): Promise<void> => {
    if (texts.has(path)) return;
    const answer = await get(path, { 'accept-encoding': 'gzip' });
    assert.equal(answer.status, 200, path);
    sizes.set(
      path,
      Number(
        (await fetch(`${planes.controlUrl}${path}`, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })).headers.get(
          'content-length',
        ),
      ),
    );
    const text = await answer.text();
    texts.set(path, text);
    for (const next of [...listImports(text, 'with itself'), ...listImports(text, 'later')]) await load(next);
  };
  const first = (await readFiles()).filter((path) => path.startsWith('/assets/'));
  for (const path of first) await load(path);
  const withAll = (path: string, found = new Set<string>()): ReadonlySet<string> => {
    if (found.has(path)) return found;
    found.add(path);
    for (const next of listImports(texts.get(path) ?? '', 'with itself')) withAll(next, found);
    return found;
  };
  const pages = new Set([...texts.values()].flatMap((text) => listImports(text, 'later')));
  assert.ok(pages.size >= 14, `${pages.size} pages`);
  for (const page of pages) {
    const loaded = new Set([...first, ...first.flatMap((path) => [...withAll(path)]), ...withAll(page)]);
    const sum = [...loaded].reduce((total, path) => total + (sizes.get(path) ?? 0), 0);
    assert.ok(sum > 10_000 && sum <= 200_000, `${page} loads ${sum} bytes`);
  }
});
