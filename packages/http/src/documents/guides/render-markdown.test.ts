import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newErrorsPage } from '../errors-page.ts';
import { newDocsPage } from '../openapi-page.ts';
import { newRootPage } from '../root-page.ts';
import { getGuidePage } from './guide-pages.ts';
import { renderMarkdown } from './render-markdown.ts';

const render = (markdown: string): string =>
  renderMarkdown(markdown, (target) => (target.startsWith('javascript:') ? undefined : `/at/${target}`));

test('escapes HTML in text, code, links and tables, and removes comments', () => {
  const html = render(
    [
      'a <script>alert(1)</script> <img src=x onerror=alert(1)>',
      '<div onclick="x()">block</div>',
      '<!-- hidden -->',
      '`<b>`',
      '```js\nconst a = "<i>";\n```',
      '[x](javascript:alert(1)) [y](<a"b.md>)',
      '| <u> |\n| --- |\n| <s> |',
      '![<q>](picture.svg)',
    ].join('\n\n'),
  );
  assert.doesNotMatch(html, /<(?:script|img|div on|b|i|u|s|q)\b|hidden|javascript:/);
  assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.match(html, /href="\/at\/a(?:&quot;|%22)b\.md"/);
});

test('gives each heading one anchor, as code hosts do', () => {
  const html = render('# Title\n\n## Ask, without the `SDK`\n\n## Ask, without the SDK\n\n### See [this](x.md)');
  assert.deepEqual(
    [...html.matchAll(/id="([^"]+)"/g)].map(([, id]) => id),
    ['ask-without-the-sdk', 'ask-without-the-sdk-1', 'see-this'],
  );
  assert.match(html, /^<h1>Title<\/h1>/);
});

test('returns no page for a name that is not a guide', () => {
  for (const name of ['', 'nothing', '__proto__', 'constructor', '../../package.json']) assert.equal(getGuidePage(name), undefined, name);
});

test('a gateway that knows the control plane links its guides', () => {
  const control = 'https://control.example.com';
  const pages = [
    newErrorsPage()(undefined, control),
    newDocsPage('gateway')(undefined, control),
    newRootPage('gateway')({ asset: undefined, wantsHtml: () => true }, control),
  ];
  for (const { bytes } of pages) assert.ok(bytes.toString().includes(`href="${control}/docs/guides"`));
});
