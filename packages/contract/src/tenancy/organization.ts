import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, currency, id, name, nullable, reason, timestamp } from '../rows/schema.ts';
import { allowedNetworks } from './networks.ts';

export const Organization = closedObject({
  id: id('Organization id (org_).'),
  name: Type.String(),
  require_mfa: Type.Boolean(),
  base_currency: currency,
  time_zone: Type.String(),
  allowed_networks: allowedNetworks,
  deletes_at: nullable({ ...timestamp, description: 'Scheduled time of the deletion of the organization; null if none is scheduled.' }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Organization = Static<typeof Organization>;

export const organizationEndpoints = {
  getOrganization: defineEndpoint({
    plane: 'control',
    area: 'tenancy',
    method: 'GET',
    path: '/v1/organization',
    summary: 'Get the organization of the caller.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['organization:read'],
    result: Organization,
    emits: [],
    refuses: [],
  }),
  updateOrganization: defineEndpoint({
    plane: 'control',
    area: 'tenancy',
    method: 'PATCH',
    path: '/v1/organization',
    summary:
      'Change the name, require_mfa, the base currency, the time zone or the allowed networks of users and API keys. require_mfa and allowed_networks require a step-up; an API key can only change the name.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['organization:update'],
    mayNeed: ['step_up'],
    body: closedObject({
      name: Type.Optional(name('Name of the organization.')),
      require_mfa: Type.Optional(Type.Boolean()),
      base_currency: Type.Optional(currency),
      time_zone: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'IANA time zone, such as Europe/Berlin, for rules about time.',
        }),
      ),
      allowed_networks: Type.Optional(allowedNetworks),
      confirm_lockout: Type.Optional(
        Type.Boolean({
          description:
            'Make the change even if it locks you out. Otherwise such a change is refused. For allowed_networks only an owner can set this.',
        }),
      ),
    }),
    result: Organization,
    emits: ['organization.updated', 'organization.base_currency_changed'],
    refuses: ['UNPROCESSABLE', 'VALIDATION_FAILED', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED'],
    automation: {
      members: { require_mfa: 'STEP_UP', allowed_networks: 'STEP_UP', base_currency: 'PERSON', time_zone: 'PERSON' },
      compared: true,
    },
  }),
  deleteOrganization: defineEndpoint({
    plane: 'control',
    area: 'tenancy',
    method: 'DELETE',
    path: '/v1/organization',
    summary: 'Schedule the deletion of the organization. During the grace period its agents are refused and it can be restored.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['organization:delete'],
    body: closedObject({
      confirm_name: Type.String({ maxLength: 200, description: 'Exact name of the organization, as a confirmation.' }),
      reason,
    }),
    result: Organization,
    whileEnding: true,
    emits: ['organization.updated'],
    refuses: ['VALIDATION_FAILED', 'INVALID_STATE_TRANSITION', 'PERMISSION_DENIED'],
  }),
  restoreOrganization: defineEndpoint({
    plane: 'control',
    area: 'tenancy',
    method: 'POST',
    path: '/v1/organization/restore',
    summary: 'Cancel the deletion of the organization during the grace period.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['organization:delete'],
    body: closedObject({ reason: Type.Optional(reason) }),
    bodyOptional: true,
    result: Organization,
    whileEnding: true,
    emits: ['organization.updated'],
    refuses: ['INVALID_STATE_TRANSITION', 'PERMISSION_DENIED'],
  }),
};
