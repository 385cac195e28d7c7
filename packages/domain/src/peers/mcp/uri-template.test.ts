import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUriOfTemplate, readUriTemplate } from './uri-template.ts';

test('an address matches the template that it is an expansion of', () => {
  const matching: readonly (readonly [string, string])[] = [
    ['file:///notes/{name}', 'file:///notes/today.md'],
    ['test://template/{id}/data', 'test://template/123/data'],
    ['repo://{owner}/{name}/contents{/path*}', 'repo://ada/engine/contents/readme.md'],
    ['file:///{+path}', 'file:///a/b/c.txt'],
    ['search://notes{?q,limit}', 'search://notes?q=alpha&limit=3'],
    ['search://notes{?q,limit}', 'search://notes'],
    ['{scheme}-{host}-{port}', 'a-b-c-d'],
  ];
  for (const [template, uri] of matching) assert.ok(isUriOfTemplate(template, uri), `${template} ${uri}`);
});

test('a variable matches no other segment, no query and no address that servers read differently', () => {
  const template = 'file:///notes/{name}';
  for (const uri of [
    ...['file:///notes/', 'file:///notes/a/b', 'file:///notes/..', 'file:///notes/%2e%2e', 'file:///notes/a%2Fb', 'file:///notes/a%5cb'],
    ...[
      'file:///notes/a%252fb',
      'file:///notes/a?b',
      'file:///notes/a#b',
      'file:///notes/a%00',
      'file:///other/a',
      'file:///notes/a\\b',
      '',
    ],
  ])
    assert.equal(isUriOfTemplate(template, uri), false, uri);
  assert.equal(isUriOfTemplate('file:///{+path}', 'file:///a/../../etc/passwd'), false);
  assert.equal(isUriOfTemplate(template, undefined), false);
});

test('a template with an unsupported expression states why', () => {
  for (const template of ['a://{b', 'a://{;b}', 'a://{b:3}', 'a://{b,c}', 'a://{}', 'a:// b/{c}', `a://${'{b}'.repeat(65)}`])
    assert.ok('fault' in readUriTemplate(template), template);
});

test('matching takes time linear in the address, for a template that backtracking is slow for', () => {
  const startedAt = performance.now();
  assert.equal(isUriOfTemplate(`${'{a}-'.repeat(31)}!`, 'x-'.repeat(1_000)), false);
  assert.ok(performance.now() - startedAt < 1_000);
});
