import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, nullable, timestamp } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';

const { daysMax, actionsMax, groupsMax, bucketsMax } = LIMITS.actionSummary;

const count = (description?: string) => Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) });

/** Number of actions by decision. */
const DecisionCounts = closedObject({ ALLOW: count(), MASK: count(), LIMIT: count(), REQUIRE_APPROVAL: count(), BLOCK: count() });
export type DecisionCounts = Static<typeof DecisionCounts>;

const groups = (key: string) =>
  Type.Array(
    closedObject({ key: nullable(Type.String({ description: key })), name: Type.String(), total: count(), decisions: DecisionCounts }),
    {
      description: `The ${groupsMax} largest groups, largest first.`,
    },
  );

export const ActionsSummary = closedObject({
  from: timestamp,
  to: timestamp,
  total: count('Number of actions in the time range.'),
  counted_all: Type.Boolean({ description: `False if there are more than ${actionsMax} actions; only the newest are counted.` }),
  decisions: DecisionCounts,
  failed: count('Actions that failed or have an unknown outcome.'),
  not_enforced: count('Actions that ran although they would have been refused or held in the mode ENFORCE.'),
  buckets: Type.Array(closedObject({ from: timestamp, total: count(), decisions: DecisionCounts }), {
    description: `The time range in ${bucketsMax} equal parts, oldest first.`,
  }),
  by_tool: groups('Name of the tool.'),
  by_agent: groups('Id of the agent.'),
  by_reason: groups('Reason of actions that were refused or held.'),
});
export type ActionsSummary = Static<typeof ActionsSummary>;

export const ActionsSummaryQuery = closedObject({
  from: Type.Optional(Type.String({ maxLength: 24, description: `Start of the time range. Defaults to 24 hours before its end.` })),
  to: Type.Optional(
    Type.String({ maxLength: 24, description: `End of the time range, at most ${daysMax} days after its start. Defaults to now.` }),
  ),
  agent_id: Type.Optional(Type.String({ maxLength: 64 })),
  tool: Type.Optional(Type.String({ maxLength: 100, description: 'Name or id of the tool.' })),
  environment_id: Type.Optional(Type.String({ maxLength: 64 })),
});
export type ActionsSummaryQuery = Static<typeof ActionsSummaryQuery>;

export const actionSummaryEndpoints = {
  summarizeActions: defineEndpoint({
    plane: 'control',
    area: 'actions',
    method: 'GET',
    path: '/v1/actions/summary',
    summary: 'Count decisions of a time range, in total, over time, and by tool, agent and reason.',
    credential: 'caller',
    budget: 'caller',
    wire: 'json',
    permissions: ['action:read'],
    query: ActionsSummaryQuery,
    result: ActionsSummary,
    emits: [],
    refuses: ['VALIDATION_FAILED'],
  }),
};
