/** Options that name an agent with its key. */
export const AGENT_OPTIONS = [
  ['--agent <agent>', 'id of the agent; by default that of svc.json'],
  ['--key-file <file>', 'private key of the agent, a file that only you can read'],
  ['--gateway <address>', 'address of the gateway; by default what the service publishes'],
] as const;
