import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { getDemoAddress } from '@svc/contract/people/demo-account.ts';
import { newAgentKey } from '../new-agent-key.ts';

const NAMES = ['refunds', 'reports', 'triage', 'billing', 'exports', 'payouts'] as const;
type DemoAgentName = (typeof NAMES)[number];

/** The id is known once the agent is registered. */
type DemoAgent = ReturnType<typeof newAgentKey> & { readonly agentId?: string };

/**
 * Data for continuing with the demo: both addresses of the latest start, the owner's password, and the SDK options of each agent. Most of
 * it is secret.
 */
export type DemoCredentials = {
  readonly controlUrl?: string;
  readonly gatewayUrl?: string;
  readonly email: string;
  readonly password: string;
  readonly agents: { readonly [Name in DemoAgentName]: DemoAgent };
  /** True if everything was seeded. */
  readonly complete: boolean;
};

export const getCredentialsFile = (dataDir: string): string => path.join(dataDir, 'demo.json');

/** Writes the file for its owner only, atomically. */
export const writeCredentials = (dataDir: string, credentials: DemoCredentials): void => {
  const fresh = `${getCredentialsFile(dataDir)}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, getCredentialsFile(dataDir));
};

/** Keeps keys of an earlier demo version, and adds those of agents that it did not have. */
const withKeys = (known: Partial<DemoCredentials['agents']>): DemoCredentials['agents'] =>
  Object.fromEntries(NAMES.map((name) => [name, known[name] ?? newAgentKey()])) as DemoCredentials['agents'];

/**
 * Returns the credentials of an earlier start, or new ones, which are stored before they are used: an interrupted start can be continued.
 */
export const provideCredentials = (dataDir: string): DemoCredentials => {
  if (existsSync(getCredentialsFile(dataDir))) {
    const known = JSON.parse(readFileSync(getCredentialsFile(dataDir), 'utf8')) as DemoCredentials;
    return { ...known, agents: withKeys(known.agents) };
  }
  const credentials = {
    email: getDemoAddress(`owner-${randomBytes(3).toString('hex')}`),
    password: randomBytes(18).toString('base64url'),
    agents: withKeys({}),
    complete: false,
  };
  writeCredentials(dataDir, credentials);
  return credentials;
};
