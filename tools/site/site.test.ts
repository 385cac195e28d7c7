import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openChromium } from '@svc/testing/browser/chromium.ts';
import { findDocuments } from './find-documents.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('the static site', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'site-test-'));
  const folder = path.join(home, 'site');
  before(() => {
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'tools/generate.ts'), 'site', folder], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  const pages = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));

  test('has a page for each document and links to it from the index', () => {
    const index = readFileSync(path.join(folder, 'index.html'), 'utf8');
    for (const document of findDocuments(root)) assert.ok(index.includes(`href="${document.replace(/\.md$/, '.html')}"`), document);
  });

  test('has no link to a missing page or anchor', () => {
    const texts = new Map(pages().map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
    const broken: string[] = [];
    let count = 0;
    for (const [name, text] of texts)
      for (const [, target = ''] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^(data:|https:)/.test(target)) continue;
        count++;
        const [relative = '', anchor] = target.split('#', 2);
        const file = relative === '' ? name : path.join(path.dirname(name), relative);
        const isThere = existsSync(path.join(folder, file)) && (anchor === undefined || texts.get(file)?.includes(` id="${anchor}"`));
        if (!isThere) broken.push(`${name}: ${target}`);
      }
    assert.deepEqual(broken, []);
    assert.ok(count > 2_000, String(count));
  });

  test('finds a page from its files, without any network', async (t) => {
    const browser = await openChromium();
    if (typeof browser === 'string') return t.skip(browser);
    try {
      const context = await browser.newContext({ offline: true });
      const page = await context.newPage();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(pathToFileURL(path.join(folder, 'docs/guides/approvals.html')).href);
      await page.fill('#query', 'verify a release');
      await page.click('#found a:has-text("Verify a release")');
      assert.match(page.url(), /docs\/operating\/upgrades\.html#verify-a-release$/);
      assert.equal(await page.textContent('h1'), 'Upgrades');
      await page.fill('#query', '<img src=x onerror=alert(1)>');
      assert.equal(await page.locator('#found img').count(), 0);
      for (const url of requests) assert.match(url, /^(file|data):/);
    } finally {
      await browser.close();
    }
  });
});
