import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { boundedListQuery, closedObject, enumSchema, nullable, reason, timestamp } from '../rows/schema.ts';
import { CONTEXT_SCOPES, LABEL_PATTERN, REACHES, SIDE_EFFECTS } from './flow-words.ts';

const label = Type.String({ pattern: LABEL_PATTERN, examples: ['personal_data'], description: 'Label of data.' });
const pointerForm = { maxLength: 300, pattern: '^(/([^~/]|~0|~1)*)+$' };
const pointer = Type.String({ ...pointerForm, description: 'JSON Pointer into the parameters.' });

export const ToolFlowDeclaration = closedObject({
  labels: Type.Array(label, {
    maxItems: 32,
    description: 'Labels of the results: personal_data, secret, internal, untrusted_content or your own.',
  }),
  reach: nullable(enumSchema(REACHES, 'Who receives what the tool is given. Null: by the destination.')),
  readers_from: Type.Array(pointer, { maxItems: 8, description: 'Whom the data is about, and who may therefore receive it.' }),
  readers: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 16, description: 'Hosts that may receive the data.' }),
  recipient_from: nullable(pointer),
  record_from: nullable(pointer),
  side_effects: nullable(enumSchema(SIDE_EFFECTS)),
  store_key_from: nullable(
    Type.String({
      ...pointerForm,
      description:
        'Key, such as a path, under which a request stores data. Its labels are kept with the key for every agent of the environment.',
    }),
  ),
  load_key_from: nullable(
    Type.String({ ...pointerForm, description: 'Key whose data a request reads. The labels that are kept with it count for the agent.' }),
  ),
});

export const FlowContext = closedObject({
  id: Type.String(),
  name: nullable(Type.String({ description: 'Name that the assertion of the agent gave it; null for requests without one.' })),
  scope: enumSchema(
    CONTEXT_SCOPES,
    'AGENT: its labels count in all contexts of the agent. CONTEXT: they count for requests in this context, and where the environment counts all.',
  ),
  agent_id: Type.String(),
  labels: Type.Array(Type.String()),
  sources: Type.Array(
    closedObject({
      label: Type.String(),
      tool: Type.String(),
      host: nullable(Type.String()),
      action_id: Type.String(),
      at: timestamp,
      people: nullable(Type.Integer({ description: 'Number of people whom the data is about; null if it is about no one in particular.' })),
    }),
  ),
  tools_used: Type.Array(Type.String()),
  is_overflowing: Type.Boolean({ description: 'True if there are more sources than are kept.' }),
  started_at: timestamp,
  last_used_at: timestamp,
});
export type FlowContextView = Static<typeof FlowContext>;

const onFlow = { plane: 'control', area: 'risk', credential: 'caller', budget: 'caller', wire: 'json' } as const;

export const contextEndpoints = {
  getToolFlow: defineEndpoint({
    ...onFlow,
    method: 'GET',
    path: '/v1/tools/{toolId}/flow',
    summary: 'Get the labels and the reach of a tool, as declared.',
    permissions: ['tool:read'],
    result: ToolFlowDeclaration,
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  declareToolFlow: defineEndpoint({
    ...onFlow,
    method: 'PUT',
    path: '/v1/tools/{toolId}/flow',
    summary: 'Declare the labels of the results of a tool, its reach, readers and recipients. Loosening requires a person and a step-up.',
    permissions: ['tool:update'],
    mayNeed: ['step_up'],
    body: closedObject({
      labels: Type.Optional(ToolFlowDeclaration.properties.labels),
      reach: Type.Optional(ToolFlowDeclaration.properties.reach),
      readers_from: Type.Optional(ToolFlowDeclaration.properties.readers_from),
      readers: Type.Optional(ToolFlowDeclaration.properties.readers),
      recipient_from: Type.Optional(ToolFlowDeclaration.properties.recipient_from),
      record_from: Type.Optional(ToolFlowDeclaration.properties.record_from),
      side_effects: Type.Optional(ToolFlowDeclaration.properties.side_effects),
      store_key_from: Type.Optional(ToolFlowDeclaration.properties.store_key_from),
      load_key_from: Type.Optional(ToolFlowDeclaration.properties.load_key_from),
      reason,
    }),
    result: ToolFlowDeclaration,
    emits: ['tool.updated'],
    refuses: ['NOT_FOUND', 'STEP_UP_REQUIRED'],
    automation: { limit: 'Not to loosen: fewer labels, a narrower reach, more readers, fewer side effects or another key of a store.' },
  }),
  listFlowContexts: defineEndpoint({
    ...onFlow,
    method: 'GET',
    path: '/v1/agents/{agentId}/contexts',
    summary: 'List the flow contexts of an agent: the labels of the data that it may hold, with their sources.',
    permissions: ['risk:read'],
    query: boundedListQuery,
    result: Type.Array(FlowContext),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
  declassifyContext: defineEndpoint({
    ...onFlow,
    method: 'POST',
    path: '/v1/agents/{agentId}/contexts/{contextId}/declassify',
    summary:
      'Clear labels of a flow context. Requires a person and a step-up; the label secret is never cleared. A new source brings a label back.',
    permissions: ['risk:update'],
    mayNeed: ['step_up'],
    body: closedObject({ labels: Type.Array(label, { minItems: 1, maxItems: 32 }), reason }),
    result: FlowContext,
    emits: ['context.labels_cleared'],
    refuses: ['NOT_FOUND', 'PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'UNPROCESSABLE'],
    automation: { limit: 'Never: only a person clears labels.' },
  }),
};
