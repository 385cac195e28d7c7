import { type Static, Type } from 'typebox';
import { AUTOMATION_LIMITS } from '../rows/automation-rule.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, enumSchema, id, name, nullable, timestamp } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';
import { email, SignInAnswer } from './auth.ts';
import { CLAIM_EVENTS } from './claim-events.ts';
import { Member, RoleName, workspaceIds } from './members.ts';
import { mailTransport } from './outbox.ts';

export const Invitation = closedObject({
  id: id('Invitation id (inv_).'),
  email: Type.String(),
  role: RoleName,
  workspace_ids: nullable(
    Type.Array(Type.String(), { description: 'Workspaces that the member can access; null for the whole organization.' }),
  ),
  status: enumSchema(
    ['AWAITING_CONFIRMATION', 'PENDING', 'EXPIRED', 'ACCEPTED', 'WITHDRAWN'],
    'AWAITING_CONFIRMATION until a user confirms an invitation that an API key created; PENDING while its code is valid; EXPIRED after that.',
  ),
  invited_by: closedObject({ type: Type.String(), id: Type.String(), name: nullable(Type.String()) }),
  mails: Type.Integer({ description: 'Number of times it was sent; 0 while it awaits confirmation.' }),
  created_at: timestamp,
  sent_at: timestamp,
  expires_at: timestamp,
});
export type Invitation = Static<typeof Invitation>;

/** An invitation whose mail was just enqueued. */
const MailedInvitation = closedObject({ ...Invitation.properties, mail_transport: mailTransport });

/** The content of an invitation for the holder of its code. */
const InvitationTold = closedObject({
  organization: closedObject({ id: Type.String(), name: Type.String() }),
  email: Type.String(),
  role: RoleName,
  invited_by: nullable(Type.String({ description: 'Name of the inviter.' })),
  has_account: Type.Boolean({
    description: 'True if the address has an account. Its user accepts by signing in or with the password, without a name.',
  }),
  expires_at: timestamp,
});

const code = Type.String({ minLength: 1, maxLength: 256, description: 'Code from the link in the mail.' });

const onInvitations = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'people' as const,
  credential: 'caller' as const,
  budget: 'caller' as const,
  wire: 'json' as const,
  ...rest,
});

/** Builds the row of an operation with a code and without a session. */
const byCode = <const Rest extends object>(rest: Rest) => ({
  plane: 'control' as const,
  area: 'people' as const,
  method: 'POST' as const,
  credential: 'none' as const,
  budget: 'guess' as const,
  wire: 'json' as const,
  ...rest,
});

export const invitationEndpoints = {
  listInvitations: defineEndpoint({
    ...onInvitations({
      method: 'GET',
      path: '/v1/members/invitations',
      summary: 'List open invitations, newest first.',
      permissions: ['member:read'],
    }),
    query: boundedListQuery,
    result: Type.Array(Invitation),
    emits: [],
    refuses: [],
  }),
  inviteMember: defineEndpoint({
    ...onInvitations({
      method: 'POST',
      path: '/v1/members/invitations',
      summary:
        'Invite a person by mail, with a role whose permissions you all have. The code in the mail is valid once, for seven days. An invitation by an API key with a role that only people may assign requires confirmation before the mail is sent.',
      permissions: ['member:invite'],
    }),
    idempotent: true,
    body: closedObject({ email, role_id: id('Role of the new member.'), workspace_ids: Type.Optional(workspaceIds) }),
    result: MailedInvitation,
    status: 201,
    emits: ['member.invited'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'ALREADY_EXISTS', 'VALIDATION_FAILED', 'UNPROCESSABLE', 'RATE_LIMITED'],
    automation: { limit: AUTOMATION_LIMITS.roles },
  }),
  resendInvitation: defineEndpoint({
    ...onInvitations({
      method: 'POST',
      path: '/v1/members/invitations/{invitationId}/resend',
      summary: 'Resend an invitation in your name, with a new code that is valid for seven days; the previous code becomes invalid.',
      permissions: ['member:invite'],
    }),
    body: closedObject({}),
    bodyOptional: true,
    result: MailedInvitation,
    emits: ['member.invited'],
    refuses: [
      ...(['NOT_FOUND', 'PERMISSION_DENIED', 'GONE', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE', 'RATE_LIMITED'] as const),
      'VALIDATION_FAILED',
    ],
    automation: { limit: AUTOMATION_LIMITS.roles },
  }),
  confirmInvitation: defineEndpoint({
    ...onInvitations({
      method: 'POST',
      path: '/v1/members/invitations/{invitationId}/confirm',
      summary:
        'Confirm and send, in your name, an invitation that an API key created. You must have all permissions of its role. Requires a step-up.',
      permissions: ['member:invite'],
    }),
    credential: 'person',
    stepUp: true,
    body: closedObject({}),
    bodyOptional: true,
    result: MailedInvitation,
    emits: ['member.invitation_confirmed'],
    refuses: [
      ...(['NOT_FOUND', 'PERMISSION_DENIED', 'GONE', 'INVALID_STATE_TRANSITION', 'UNPROCESSABLE', 'RATE_LIMITED'] as const),
      'VALIDATION_FAILED',
    ],
  }),
  withdrawInvitation: defineEndpoint({
    ...onInvitations({
      method: 'DELETE',
      path: '/v1/members/invitations/{invitationId}',
      summary: 'Withdraw an invitation; its code becomes invalid.',
      permissions: ['member:invite'],
    }),
    budget: 'emergency',
    result: Invitation,
    emergency: true,
    emits: ['member.removed'],
    refuses: ['NOT_FOUND', 'GONE', 'PERMISSION_DENIED'],
    automation: { limit: AUTOMATION_LIMITS.owners },
  }),
  readInvitation: defineEndpoint({
    ...byCode({
      path: '/v1/auth/invitations/read',
      summary: 'Get the organization, role and address of an invitation code.',
    }),
    body: closedObject(secret('code', code)),
    result: InvitationTold,
    writesNothing: 'always',
    emits: [],
    refuses: ['GONE'],
  }),
  acceptInvitation: defineEndpoint({
    ...byCode({
      path: '/v1/auth/invitations/accept',
      summary:
        'Accept an invitation with its code: as a new user with a name and a password, or with the password of the existing account.',
    }),
    body: closedObject({
      ...secret('code', code),
      name: Type.Optional(name('Name of a new user.')),
      ...secret(
        'password',
        Type.Optional(
          Type.String({ minLength: 1, maxLength: 256, description: 'Password of the existing account, or a new password for a new user.' }),
        ),
      ),
    }),
    session: 'opens',
    result: SignInAnswer,
    status: 201,
    emits: ['member.joined', 'user.login_succeeded', 'user.login_failed', ...CLAIM_EVENTS],
    refuses: ['PERMISSION_DENIED', 'GONE', 'INVALID_CREDENTIALS', 'CONFLICT', 'RATE_LIMITED', 'VALIDATION_FAILED'],
  }),
  joinOrganization: defineEndpoint({
    ...byCode({
      path: '/v1/auth/invitations/join',
      summary: 'Accept an invitation with its code as the signed-in user, who must have the invited address.',
    }),
    credential: 'person',
    permissions: { none: 'the code identifies the invitation and its recipient' },
    body: closedObject(secret('code', code)),
    result: closedObject({ organization: closedObject({ id: Type.String(), name: Type.String() }), member: Member }),
    status: 201,
    emits: ['member.joined'],
    refuses: ['GONE', 'PERMISSION_DENIED', 'CONFLICT'],
  }),
};
