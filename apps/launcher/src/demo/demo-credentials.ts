import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newAgentKey } from './new-agent-key.ts';

type AgentKey = ReturnType<typeof newAgentKey>;

/** What a person needs to go on with the demo data: the owner's password and the agents' keys. All of it secret. */
export type DemoCredentials = {
  readonly email: string;
  readonly password: string;
  readonly agents: { readonly refunds: AgentKey; readonly reports: AgentKey };
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
    email: `owner-${randomBytes(3).toString('hex')}@demo.example`,
    password: randomBytes(18).toString('base64url'),
    agents: { refunds: newAgentKey(), reports: newAgentKey() },
    complete: false,
  };
  writeCredentials(dataDir, credentials);
  return credentials;
};
