import { mustCall } from '@svc/testing/people/client.ts';
import type { NounTests } from '../noun-tests.ts';
import { authenticateWithFactor, withTotp } from './second-factors.ts';

export const deviceApprovalTests = {
  bodies: () => ({
    approveDevice: { number: 41 },
    denyDevice: {},
  }),
  recipes: {
    approveDevice: async (scene) => {
      const { person, send, challenge } = await withTotp(scene);
      const body = { mfa_challenge: await challenge(), method: 'DEVICE' };
      const { device_approval } = await mustCall(scene.planes.controlUrl, 'POST', '/v1/auth/mfa/challenge', { body });
      const answer = await send('POST', `/v1/auth/mfa/device-approvals/${device_approval.id}/approve`, { number: device_approval.number });
      return [{ answer, by: authenticateWithFactor(person), events: [['user.mfa_device_approval_decided', 'user', person.user.id]] }];
    },
    denyDevice: async (scene) => {
      const { person, send, challenge } = await withTotp(scene);
      const body = { mfa_challenge: await challenge(), method: 'DEVICE' };
      const { device_approval } = await mustCall(scene.planes.controlUrl, 'POST', '/v1/auth/mfa/challenge', { body });
      const answer = await send('POST', `/v1/auth/mfa/device-approvals/${device_approval.id}/deny`, {});
      return [{ answer, by: authenticateWithFactor(person), events: [['user.mfa_device_approval_decided', 'user', person.user.id]] }];
    },
  },
} as const satisfies NounTests;
