import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildOwnPath } from '../web/data/own-path.ts';

const HERE = 'https://service.example';

test('signing in leads to a page of this service, even if a link names another site', () => {
  for (const [asked, path] of [
    ['/cli?request_id=1', '/cli?request_id=1'],
    ['account', '/account'],
    [`${HERE}/enrol`, '/enrol'],
  ] as const)
    assert.equal(buildOwnPath(asked, HERE), path);
  for (const asked of [
    null,
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/.//elsewhere.example',
    '/a/..//elsewhere.example',
    '/%2e//elsewhere.example',
    '/\t/elsewhere.example',
    `${HERE}//elsewhere.example`,
    'https://elsewhere.example/',
    'javascript:alert(1)',
    'http://service.example/',
  ])
    assert.equal(buildOwnPath(asked, HERE), undefined, String(asked));
});
