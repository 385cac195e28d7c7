import type { StartedService } from '../../start/start-service.ts';
import { getCredentialsFile, provideCredentials, writeCredentials } from './demo-credentials.ts';
import { enterDemo } from './enter-demo.ts';
import { seedActivity } from './seed-activity.ts';
import { seedDecisions } from './seed-decisions.ts';
import { seedDelegations } from './seed-delegations.ts';
import { seedFleet, stopSome } from './seed-fleet.ts';
import { seedIncidents } from './seed-incident.ts';
import { seedOrganization } from './seed-organization.ts';
import { seedPeers } from './seed-peers.ts';
import { seedTrust } from './seed-trust.ts';

/** Fills a running service with a demo organization, once, through its own API. Throws a StoryFault if a result differs. */
export const seedDemo = async (
  { controlUrl, gatewayUrl, setupUrl, sandboxOrigin, settings }: StartedService,
  log: (line: string) => void,
): Promise<void> => {
  const credentials = { ...provideCredentials(settings.dataDir), controlUrl, gatewayUrl };
  const { owner, isNew } = await enterDemo(controlUrl, credentials, setupUrl);
  const signIn = [
    `  Sign in           ${credentials.email} with password ${credentials.password}`,
    `                    in a browser at ${controlUrl}/overview, where /approvals shows what waits`,
    `                    POST /v1/auth/login answers a token; ${controlUrl}/docs takes it under "Authorize"`,
  ].join('\n');
  const keys = `  Agents' keys      ${getCredentialsFile(settings.dataDir)}, with their ids and both addresses`;
  const { refunds, reports } = credentials.agents;
  if (credentials.complete && !isNew && refunds.agentId !== undefined && reports.agentId !== undefined) {
    writeCredentials(settings.dataDir, credentials);
    return log(['Demo data is there already, as it was left.', signIn, keys].join('\n'));
  }
  const places = { sandboxOrigin, dataDir: settings.dataDir };
  const seeded = await seedOrganization(owner, credentials, places);
  const approvalId = await seedDecisions(owner, credentials, seeded, gatewayUrl);
  const fleet = await seedFleet(owner, credentials, seeded);
  const delegationId = await seedDelegations(owner, seeded, fleet);
  const count = await seedActivity(credentials, { ...seeded, ...fleet }, gatewayUrl, delegationId);
  await seedPeers(owner, fleet, { ...places, gatewayUrl, privateKey: credentials.agents.triage.privateKey });
  await stopSome(owner, fleet);
  await seedIncidents(owner, seeded, fleet);
  await seedTrust(owner, seeded);
  const agents = {
    ...credentials.agents,
    refunds: { ...refunds, agentId: seeded.refunds.id },
    reports: { ...reports, agentId: seeded.reports.id },
  };
  writeCredentials(settings.dataDir, { ...credentials, agents, complete: true });
  const waits = `  Waits for you     ${approvalId}: refund-bot wants to refund 900.00`;
  log(
    [
      `Demo data: the organization "Demo Bank", two workspaces, six agents, three policies in force, delegations, ${count + 9} decisions, two MCP servers, three A2A connections and a published agent card, a runtime with findings, two incidents, a risk event, a review of an agent.`,
      'All of it is dated now: the sealed log dates an event when it happens.',
      signIn,
      keys,
      waits,
    ].join('\n'),
  );
};
