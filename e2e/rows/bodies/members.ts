import type { Asked, Bodies } from './bodies-of.ts';

export const memberBodies = ({ made, setting: { resources } }: Asked): Bodies => ({
  createRole: { name: `Role ${made}`, permissions: ['agent:read'] },
  updateRole: { description: `${made}` },
  updateMember: {},
  transferOwnership: {},
  inviteMember: { email: `invited-${made}-${resources.memberId.toLowerCase()}@example.com`, role_id: 'rol_00000000000000000000000007' },
  resendInvitation: {},
  confirmInvitation: {},
  readInvitation: { code: 'none' },
  acceptInvitation: { code: 'none' },
  joinOrganization: { code: 'none' },
});
