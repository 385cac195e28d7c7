import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONSOLE_PATHS } from '@svc/contract/tables/console-routes.ts';
import { matchRoute } from '../web/match-route.ts';

test('matches a path with its parameters decoded', () => {
  assert.deepEqual(matchRoute('/approvals'), { name: 'approvals', params: {} });
  assert.deepEqual(matchRoute('/approvals/apr_1'), { name: 'approval', params: { approvalId: 'apr_1' } });
  assert.deepEqual(matchRoute('/webhooks/new'), { name: 'newWebhook', params: {} });
  assert.deepEqual(matchRoute('/webhooks/whs_1'), { name: 'webhook', params: { subscriptionId: 'whs_1' } });
  assert.deepEqual(matchRoute('/approvals/a%2Fb'), { name: 'approval', params: { approvalId: 'a/b' } });
});

test('redirects former paths', () => {
  assert.deepEqual(matchRoute('/account'), { redirectTo: '/me/profile' });
  assert.deepEqual(matchRoute('/members'), { redirectTo: '/settings/members' });
});

test('matches nothing for other paths and for parameters that are not decodable', () => {
  for (const path of ['/', '/approvals/', '/approvals/a/b', '/approvals/%E0%A4%A', '/__proto__', '/nothing'])
    assert.equal(matchRoute(path), undefined, path);
});

test('every path of the console leads to a page', () => {
  for (const path of CONSOLE_PATHS) assert.ok(matchRoute(path.replace(/\{\w+\}/g, 'x')), path);
});
