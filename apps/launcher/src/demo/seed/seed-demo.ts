import type { Service } from '../../start/start-service.ts';
import { credentialsFile, provideCredentials, writeCredentials } from './demo-credentials.ts';
import { enterDemo } from './enter-demo.ts';
import { seedDecisions } from './seed-decisions.ts';
import { seedIncident } from './seed-incident.ts';
import { seedOrganization } from './seed-organization.ts';
import { seedTrust } from './seed-trust.ts';

/** Fills a running service with an organization to look at, once, through its own API. Throws a StoryFault when something comes out otherwise. */
export const seedDemo = async (
  { controlUrl, gatewayUrl, setupUrl, sandboxOrigin, settings }: Service,
  log: (line: string) => void,
): Promise<void> => {
  const credentials = { ...provideCredentials(settings.dataDir), controlUrl, gatewayUrl };
  const { owner, isNew } = await enterDemo(controlUrl, credentials, setupUrl);
  const signIn = [
    `  Sign in           ${credentials.email} with password ${credentials.password}`,
    `                    in a browser at ${controlUrl}/overview, where /approvals shows what waits`,
    `                    POST /v1/auth/login answers a token; ${controlUrl}/docs takes it under "Authorize"`,
  ].join('\n');
  const keys = `  Agents' keys      ${credentialsFile(settings.dataDir)}, with their ids and both addresses`;
  const { refunds, reports } = credentials.agents;
  if (credentials.complete && !isNew && refunds.agentId !== undefined && reports.agentId !== undefined) {
    writeCredentials(settings.dataDir, credentials);
    return log(['Demo data is there already, as it was left.', signIn, keys].join('\n'));
  }
  const seeded = await seedOrganization(owner, credentials, sandboxOrigin);
  const approvalId = await seedDecisions(owner, credentials, seeded, gatewayUrl);
  await seedIncident(owner, seeded);
  await seedTrust(owner, seeded);
  const agents = { refunds: { ...refunds, agentId: seeded.refunds.id }, reports: { ...reports, agentId: seeded.reports.id } };
  writeCredentials(settings.dataDir, { ...credentials, agents, complete: true });
  const waits = `  Waits for you     ${approvalId}: refund-bot wants to refund 900.00`;
  log(
    [
      'Demo data: the organization "Demo Bank", two workspaces, two agents, three policies in force, an MCP server, two A2A connections and a published agent card, seven decisions, an incident, a review of an agent.',
      signIn,
      keys,
      waits,
    ].join('\n'),
  );
};
