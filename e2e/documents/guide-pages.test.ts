import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ERROR_CODES, ERRORS } from '@svc/contract/tables/errors.ts';
import { ERROR_GUIDES, GUIDE_NAMES, GUIDE_READERS, GUIDES, getGuideFile, getGuidePath } from '@svc/contract/tables/guides.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { readDocument, SESSIONS } from './play-session.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const fetched = new Map<string, Promise<TestResponse>>();
const visit = (url: string): Promise<TestResponse> => {
  const { origin, pathname } = new URL(url);
  const key = `${origin}${pathname}`;
  const known = fetched.get(key) ?? call(origin, 'GET', pathname, { headers: BROWSER });
  fetched.set(key, known);
  return known;
};

const findLinks = (text: string): string[] => [...text.matchAll(/<(?:a|link)[^>]* href="([^"]+)"/g)].map(([, href = '']) => href);

/** Returns the resolved links of a page, without those to other sites and of commands that need a session. */
const ownLinks = (text: string, base: string): string[] =>
  findLinks(text)
    .filter((href) => !href.startsWith('data:'))
    .map((href) => new URL(href, base).href)
    .filter((url) => [planes.controlUrl, planes.gatewayUrl].includes(new URL(url).origin));

const assertLeads = async (from: string, url: string): Promise<void> => {
  const { status, text } = await visit(url);
  assert.equal(status, 200, `${from} links to ${url}`);
  const anchor = decodeURIComponent(new URL(url).hash.slice(1));
  if (anchor !== '') assert.ok(text.includes(`id="${anchor}"`), `${from} links to ${url}, which has no such heading`);
};

const assertText = ({ status, headers, text }: TestResponse): void => {
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'self';/);
  assert.doesNotMatch(text, /<script|<style| style="| on\w+="|<!--/);
  assert.match(text, /<html lang="en">[\s\S]*<main>[\s\S]*<\/main>/);
};

describe('the guides at /docs/guides', () => {
  test('are listed by reader, each with its title', async () => {
    const answer = await visit(`${planes.controlUrl}/docs/guides`);
    assertText(answer);
    for (const reader of Object.values(GUIDE_READERS)) assert.ok(answer.text.includes(`>${reader}</a></h2>`), reader);
    assert.deepEqual(
      findLinks(answer.text).filter((href) => href.startsWith('/docs/guides/')),
      Object.keys(GUIDE_READERS).flatMap((reader) => GUIDE_NAMES.filter((name) => GUIDES[name].reader === reader).map(getGuidePath)),
    );
  });

  test('include every document whose commands are run, except those for contributors', () => {
    const files = new Set<string>(GUIDE_NAMES.map(getGuideFile));
    const played = [...new Set(Object.values(SESSIONS).flat(2))].filter((file) => file.startsWith('docs/'));
    assert.deepEqual(
      played.filter((file) => !files.has(file)),
      [],
    );
  });

  for (const name of GUIDE_NAMES)
    test(`${name} has its title, and every link leads to a page and a heading`, async () => {
      const url = `${planes.controlUrl}${getGuidePath(name)}`;
      const answer = await visit(url);
      assertText(answer);
      const [, title] = /^# (.+)$/m.exec(readDocument(getGuideFile(name))) ?? [];
      assert.equal(title, GUIDES[name].title);
      for (const link of ownLinks(answer.text, url)) await assertLeads(name, link);
      assert.doesNotMatch(answer.text, /href="[^"]*\.(?:md|ts|mjs)(?:#|")/);
    });

  test('escape HTML of the document, and keep code as it is typed', async () => {
    const { text } = await visit(`${planes.controlUrl}${getGuidePath('first-governed-tool')}`);
    assert.match(text, /<pre tabindex="0"><code>npm start\n<\/code><\/pre>/);
    assert.match(text, /&lt;&lt;END \| json \.id\n/);
    assert.match(text, /<pre class="output" tabindex="0"><code>ENFORCE\n/);
  });
});

describe('the documentation of both planes', () => {
  test('links the guide of every error code', async () => {
    const url = `${planes.controlUrl}/docs/errors`;
    const answer = await visit(url);
    assertText(answer);
    for (const code of ERROR_CODES) {
      const [section = ''] = new RegExp(`<section id="${code}">.*?</section>`, 's').exec(answer.text) ?? [];
      assert.ok(findLinks(section).includes(getGuidePath(ERROR_GUIDES[code])), code);
      assert.ok(section.includes(`HTTP ${ERRORS[code].status}`), code);
    }
    for (const link of ownLinks(answer.text, url)) await assertLeads('/docs/errors', link);
  });

  test('names the guides of error codes on a gateway that does not know the control plane', async () => {
    const answer = await visit(`${planes.gatewayUrl}/docs/errors`);
    assertText(answer);
    assert.ok(answer.text.includes(GUIDES[ERROR_GUIDES.ACTION_BLOCKED].title));
    for (const link of ownLinks(answer.text, `${planes.gatewayUrl}/docs/errors`)) await assertLeads('/docs/errors', link);
  });

  test('is linked from /docs and from the start', async () => {
    for (const path of ['/', '/docs']) {
      const { text } = await visit(`${planes.controlUrl}${path}`);
      assert.ok(findLinks(text).includes('/docs/guides'), path);
    }
  });

  test('answers an unknown address with 404 and links that lead on', async () => {
    const unknown = ['/docs/nothing', '/docs/guides/nothing', '/docs/guides/__proto__', '/docs/guides/a/b', '/docs/errors/ACTION_BLOCKED'];
    for (const base of [planes.controlUrl, planes.gatewayUrl])
      for (const path of unknown) {
        const { status, headers, text } = await visit(`${base}${path}`);
        assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'], `${base}${path}`);
        const links = ownLinks(text, base).filter((href) => new URL(href).pathname.startsWith('/docs'));
        assert.ok(links.includes(`${base}/docs`), path);
        assert.equal(links.includes(`${base}/docs/guides`), base === planes.controlUrl, path);
        for (const link of links) await assertLeads(path, link);
        const { json } = await call(base, 'GET', path);
        assert.equal(json.error.code, 'NOT_FOUND');
      }
  });
});
