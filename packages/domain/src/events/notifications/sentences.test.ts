import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSubjectPage } from './sentences.ts';

test('links a notification about one thing to its page', () => {
  assert.equal(findSubjectPage('approval_waiting', 'apr_1'), '/approvals/apr_1');
  assert.equal(findSubjectPage('webhook_failing', 'whs_1'), '/webhooks/whs_1');
  assert.equal(findSubjectPage('channel_failing', 'nch_1'), '/settings/channels/nch_1');
  assert.equal(findSubjectPage('mcp_server_quarantined', 'mcp_1'), '/mcp/mcp_1');
});

test('links a notification about several things to their list', () => {
  assert.equal(findSubjectPage('approval_waiting', null), '/approvals');
  assert.equal(findSubjectPage('webhook_failing', null), '/webhooks');
  assert.equal(findSubjectPage('channel_failing', null), '/settings/channels');
  assert.equal(findSubjectPage('mcp_server_quarantined', null), '/mcp');
});
