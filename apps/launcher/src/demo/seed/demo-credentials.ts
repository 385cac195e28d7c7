import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { demoAddress } from '@svc/contract/people/demo-account.ts';
import { newAgentKey } from '../new-agent-key.ts';

const NAMES = ['refunds', 'reports', 'triage', 'billing', 'exports', 'payouts'] as const;
type DemoAgentName = (typeof NAMES)[number];

/** The id is known once the agent is registered. */
type DemoAgent = ReturnType<typeof newAgentKey> & { readonly agentId?: string };

/**
 * What a person or a program needs to go on with the demo data: both addresses as of the latest start, the owner's password, and what the SDK
 * takes of each agent. Most of it secret.
 */
export type DemoCredentials = {
  readonly controlUrl?: string;
  readonly gatewayUrl?: string;
  readonly email: string;
  readonly password: string;
  readonly agents: { readonly [Name in DemoAgentName]: DemoAgent };
  /** Everything was seeded. */
  readonly complete: boolean;
};

export const credentialsFile = (dataDir: string): string => path.join(dataDir, 'demo.json');

/** For its owner alone, and never half written. */
export const writeCredentials = (dataDir: string, credentials: DemoCredentials): void => {
  const fresh = `${credentialsFile(dataDir)}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, credentialsFile(dataDir));
};

/** Keys of an earlier version of the demo data are kept, and those of agents that it did not have are made. */
const withKeys = (known: Partial<DemoCredentials['agents']>): DemoCredentials['agents'] =>
  Object.fromEntries(NAMES.map((name) => [name, known[name] ?? newAgentKey()])) as DemoCredentials['agents'];

/** Those of an earlier start, or new ones, which are kept before they are used: a start that is cut short can be taken up again. */
export const provideCredentials = (dataDir: string): DemoCredentials => {
  if (existsSync(credentialsFile(dataDir))) {
    const known = JSON.parse(readFileSync(credentialsFile(dataDir), 'utf8')) as DemoCredentials;
    return { ...known, agents: withKeys(known.agents) };
  }
  const credentials = {
    email: demoAddress(`owner-${randomBytes(3).toString('hex')}`),
    password: randomBytes(18).toString('base64url'),
    agents: withKeys({}),
    complete: false,
  };
  writeCredentials(dataDir, credentials);
  return credentials;
};
