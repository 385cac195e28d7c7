import { Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed, id } from '../rows/schema.ts';

export const Role = closed({
  id: id('Role id (rol_).'),
  name: Type.String(),
  description: Type.String(),
  permissions: Type.Array(Type.String()),
  built_in: Type.Boolean(),
});

export const roleEndpoints = {
  listRoles: endpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/v1/roles',
    summary: 'Roles and the permissions each one holds.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['role:read'],
    result: Type.Array(Role),
    emits: [],
    refuses: [],
  }),
};
