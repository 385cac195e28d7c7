import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, id, nullable, timestamp } from '../rows/schema.ts';

const ofPerson = {
  plane: 'control',
  area: 'people',
  wire: 'json',
  credential: 'person',
  budget: 'caller',
  permissions: { none: 'users can decide on their own sign-ins' },
} as const;
const Decided = closedObject({ approved: Type.Boolean() });

export const deviceApprovalEndpoints = {
  listDeviceApprovals: defineEndpoint({
    ...ofPerson,
    method: 'GET',
    path: '/v1/auth/mfa/device-approvals',
    summary: 'List sign-ins of this user that wait for a device approval, newest first.',
    result: Type.Array(
      closedObject({
        id: id('Device approval id (dap_).'),
        source_ip: Type.String({ description: 'Source address of the sign-in.' }),
        user_agent: nullable(Type.String({ description: 'Device that signs in, as it describes itself.' })),
        created_at: timestamp,
        expires_at: timestamp,
      }),
    ),
    emits: [],
    refuses: [],
  }),
  approveDevice: defineEndpoint({
    ...ofPerson,
    method: 'POST',
    path: '/v1/auth/mfa/device-approvals/{deviceApprovalId}/approve',
    summary: 'Approve a sign-in with the number that it shows; a wrong number denies it. Requires a session verified with a second factor.',
    budget: 'guess',
    body: closedObject({ number: Type.Integer({ minimum: 10, maximum: 99, description: 'Two digits that the sign-in shows.' }) }),
    result: Decided,
    emits: ['user.mfa_device_approval_decided'],
    refuses: ['NOT_FOUND', 'GONE', 'INVALID_CREDENTIALS', 'PERMISSION_DENIED'],
  }),
  denyDevice: defineEndpoint({
    ...ofPerson,
    method: 'POST',
    path: '/v1/auth/mfa/device-approvals/{deviceApprovalId}/deny',
    summary: 'Deny a sign-in that waits for a device approval.',
    body: closedObject({}),
    bodyOptional: true,
    result: Decided,
    emits: ['user.mfa_device_approval_decided'],
    refuses: ['NOT_FOUND', 'GONE'],
  }),
};
