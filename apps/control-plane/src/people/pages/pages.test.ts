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
const filesOf = async (): Promise<string[]> =>
  [...(await (await get('/sign-in')).text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');

test('getPage: every view is one page that runs nothing but its own script, and is framed, linked to and remembered by nobody', async () => {
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

test('getPageFile: what a page loads is kept for a year under a name that changes with it, and compressed for whoever takes it so', async () => {
  const files = (await filesOf()).filter((path) => path.startsWith('/assets/'));
  assert.ok(files.length >= 2, files.join());
  for (const file of files) {
    const [plain, zipped] = [await get(file, { 'accept-encoding': 'identity' }), await get(file, { 'accept-encoding': 'br;q=1, gzip' })];
    assert.deepEqual([plain.status, plain.headers.get('content-encoding')], [200, null]);
    assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000');
    assert.deepEqual([zipped.headers.get('content-encoding'), zipped.headers.get('vary')], ['gzip', 'accept-encoding']);
    assert.equal(await zipped.text(), await plain.text());
    const refused = await get(file, { 'accept-encoding': 'gzip;q=0' });
    assert.equal(refused.headers.get('content-encoding'), null);
  }
});

test('getPageFile answers nothing that was not built, whatever the path', async () => {
  for (const path of ['nothing.js', '..%2findex.html', '..%2f..%2fpackage.json', 'index.html', '%00', '__proto__', 'built-from.txt'])
    assert.equal((await get(`/assets/${path}`)).status, 404, path);
});

test('what a page loads at first is 230 kB at most, compressed', async () => {
  const sizes = await Promise.all(
    (await filesOf())
      .filter((path) => path.startsWith('/assets/'))
      .map(async (path) =>
        Number(
          (await fetch(`${planes.controlUrl}${path}`, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })).headers.get(
            'content-length',
          ),
        ),
      ),
  );
  const sum = sizes.reduce((total, size) => total + size, 0);
  assert.ok(sum > 10_000 && sum <= 230_000, `${sum} bytes`);
});
