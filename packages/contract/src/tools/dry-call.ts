import { type Static, Type } from 'typebox';
import { Decision } from '../actions/decisions.ts';
import { CREDENTIAL_SCHEMES } from '../credentials/credentials.ts';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, id, jsonObject, nullable } from '../rows/schema.ts';
import { onTool } from './tools.ts';

/** Facts about an address before its name is resolved. */
const ADDRESS_CHECKS = ['ALLOWED', 'FORBIDDEN', 'LOOKED_UP_WHEN_CALLED'] as const;

/** A call as it would be made. */
export const DryCall = closedObject({
  tool_id: Type.String(),
  declaration_version: Type.Integer(),
  request: closedObject({
    method: Type.String(),
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Request headers, except connection and trace headers. *** replaces the secret, and {action_id} the id of the action.',
    }),
    body: nullable(Type.String()),
  }),
  credential: nullable(
    closedObject({
      credential_id: Type.String(),
      scheme: nullable(enumSchema(CREDENTIAL_SCHEMES)),
      place: nullable(Type.String({ examples: ['header authorization'], description: 'Position of the secret.' })),
      usable: Type.Boolean(),
    }),
  ),
  destination: closedObject({
    host: Type.String(),
    port: Type.Integer(),
    allowed: Type.Boolean({ description: 'True if the tool, its credential and the allowed networks, if known, permit the destination.' }),
    address: enumSchema(
      ADDRESS_CHECKS,
      'Result of the address check. Host names are resolved, and their addresses checked, only when a call is made.',
    ),
  }),
  stopped_by: Type.Array(Type.String(), {
    description: 'Reasons the call would not be sent now; empty if none is known.',
  }),
  decision: nullable(Decision),
});
export type DryCall = Static<typeof DryCall>;

export const dryCallEndpoints = {
  dryCallTool: defineEndpoint({
    ...onTool({
      method: 'POST',
      path: '/v1/tools/{toolId}/dry-call',
      summary: 'Preview the call for given parameters, with its secret masked. Nothing is sent, looked up or recorded.',
      permissions: ['tool:read'],
      mayNeed: ['policy:simulate'],
    }),
    body: closedObject({
      parameters: Type.Optional(jsonObject('Parameters of the tool.')),
      agent_id: Type.Optional(
        id('Also evaluates the decision for this agent and masks the call as rules require. Requires policy:simulate.'),
      ),
    }),
    result: DryCall,
    writesNothing: 'always',
    emits: [],
    refuses: [
      ...(['NOT_FOUND', 'VALIDATION_FAILED', 'PERMISSION_DENIED', 'UNPROCESSABLE', 'IDENTITY_SERVICE_UNAVAILABLE'] as const),
      ...(['POLICY_SERVICE_UNAVAILABLE', 'APPROVAL_SERVICE_UNAVAILABLE', 'DEPENDENCY_UNAVAILABLE'] as const),
    ],
    automation: 'ALLOWED',
  }),
};
