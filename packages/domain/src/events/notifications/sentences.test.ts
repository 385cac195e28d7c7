import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf } from './sentences.ts';

test('links a notification about one thing to its page', () => {
  assert.equal(pageOf('approval_waiting', 'apr_1'), '/approvals/apr_1');
  assert.equal(pageOf('webhook_failing', 'whs_1'), '/webhooks/whs_1');
  assert.equal(pageOf('channel_failing', 'nch_1'), '/settings/channels/nch_1');
  assert.equal(pageOf('mcp_server_quarantined', 'mcp_1'), '/mcp/mcp_1');
});

test('links a notification about several things to their list', () => {
  assert.equal(pageOf('approval_waiting', null), '/approvals');
  assert.equal(pageOf('webhook_failing', null), '/webhooks');
  assert.equal(pageOf('channel_failing', null), '/settings/channels');
  assert.equal(pageOf('mcp_server_quarantined', null), '/mcp');
});
