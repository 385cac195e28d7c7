import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECRET_PREFIXES } from './ids.ts';
import { SETTINGS } from './limits.ts';
import { ASSERTION_TYPE, HEADERS, PLATFORM_KEY_PATH, SETTINGS_PREFIX, WEBHOOK_HEADERS, WIRE_NAME } from './wire-name.ts';

test('the promised client names are these', () => {
  assert.equal(HEADERS.workspaceScope, 'x-svc-workspace');
  assert.equal(HEADERS.environmentScope, 'x-svc-environment');
  assert.equal(PLATFORM_KEY_PATH, '/.well-known/svc-platform-key');
  assert.equal(ASSERTION_TYPE, 'svc-assertion+jws');
  assert.equal(SETTINGS.egressAllowedCidrs, 'SVC_EGRESS_ALLOW_CIDRS');
  assert.deepEqual(WEBHOOK_HEADERS, {
    signature: 'svc-signature',
    eventId: 'svc-event-id',
    eventType: 'svc-event-type',
    deliveryId: 'svc-delivery-id',
    deliveryAttempt: 'svc-delivery-attempt',
  });
  assert.deepEqual(SECRET_PREFIXES, {
    session: 'svc_ses_',
    api_key: 'svc_key_',
    invitation: 'svc_inv_',
    setup_link: 'svc_setup_',
    scim: 'svc_scim_',
    sso_browser: 'svc_sso_',
    mfa_challenge: 'svc_mfa_',
    cli_code: 'svc_cli_',
    password_reset: 'svc_reset_',
    password_link: 'svc_forgot_',
    webhook_secret: 'whsec_',
  });
});

test('header names are lower case, as Node returns them', () => {
  for (const name of [...Object.values(HEADERS), ...Object.values(WEBHOOK_HEADERS)]) assert.match(name, /^[a-z]+(-[a-z]+)*$/);
});

test('settings have the same name in capitals', () => {
  assert.equal(SETTINGS_PREFIX, `${WIRE_NAME.toUpperCase()}_`);
});
