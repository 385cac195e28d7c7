import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { demoAddress } from '@svc/contract/people/demo-account.ts';
import { newAgentKey } from '../new-agent-key.ts';

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
  readonly agents: { readonly refunds: DemoAgent; readonly reports: DemoAgent };
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

/** Those of an earlier start, or new ones, which are kept before they are used: a start that is cut short can be taken up again. */
export const provideCredentials = (dataDir: string): DemoCredentials => {
  if (existsSync(credentialsFile(dataDir))) return JSON.parse(readFileSync(credentialsFile(dataDir), 'utf8')) as DemoCredentials;
  const credentials = {
    email: demoAddress(`owner-${randomBytes(3).toString('hex')}`),
    password: randomBytes(18).toString('base64url'),
    agents: { refunds: newAgentKey(), reports: newAgentKey() },
    complete: false,
  };
  writeCredentials(dataDir, credentials);
  return credentials;
};
