/** Path of the endpoint that remote agents send messages for an agent to. */
export const buildAgentA2aPath = (agentId: string): string => `/gateway/v1/agents/${agentId}/a2a`;
