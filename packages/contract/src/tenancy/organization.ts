import { type Static, Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed, currency, id, name, timestamp } from '../rows/schema.ts';

export const Organization = closed({
  id: id('Organization id (org_).'),
  name: Type.String(),
  require_mfa: Type.Boolean(),
  base_currency: currency,
  time_zone: Type.String(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Organization = Static<typeof Organization>;

export const organizationEndpoints = {
  getOrganization: endpoint({
    plane: 'control',
    area: 'tenancy',
    method: 'GET',
    path: '/v1/organization',
    summary: 'The organization of the caller.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['organization:read'],
    result: Organization,
    emits: [],
    refuses: [],
  }),
  updateOrganization: endpoint({
    plane: 'control',
    area: 'tenancy',
    method: 'PATCH',
    path: '/v1/organization',
    summary: 'Change the name, the second-factor duty, the base currency or the time zone.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['organization:update'],
    body: closed({
      name: Type.Optional(name('Name of the organization.')),
      require_mfa: Type.Optional(Type.Boolean()),
      base_currency: Type.Optional(currency),
      time_zone: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'IANA name, such as Europe/Berlin, of the zone in which rules about time are read.',
        }),
      ),
    }),
    result: Organization,
    emits: ['organization.updated', 'organization.base_currency_changed'],
    refuses: ['UNPROCESSABLE', 'VALIDATION_FAILED', 'PERMISSION_DENIED'],
  }),
};
