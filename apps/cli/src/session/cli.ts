import type { ControlClient } from '@svc/client/client.ts';
import type { Profile } from '../files/profiles.ts';
import type { ProjectFile } from '../files/project-file.ts';
import type { Settings } from '../settings.ts';
import type { CommandRow } from '../table/command-table.ts';
import type { Io } from '../terminal/io.ts';

/** Options that every command accepts. */
export type GlobalOptions = {
  readonly url?: string;
  readonly profile?: string;
  readonly workspace?: string;
  readonly environment?: string;
  readonly json?: boolean;
  readonly fields?: string;
  readonly field?: string;
  readonly quiet?: boolean;
  readonly input?: boolean;
  readonly yes?: boolean;
  readonly timeout?: string;
  readonly idempotencyKey?: string;
  readonly showCall?: boolean;
  readonly showPermission?: boolean;
  readonly debug?: boolean;
  readonly color?: boolean;
  readonly pager?: boolean;
};

/** Source of the credential of a command, in the order in which they are tried. */
export type CredentialSource = 'environment' | 'environment password' | 'stored' | 'none';

export type CliConnection = {
  readonly url: string;
  readonly client: ControlClient;
  readonly source: CredentialSource;
  /** An API key cannot step up, and some commands are a person's. */
  readonly isKey: boolean;
  readonly token: string | undefined;
  readonly profileName: string;
};

/** Context of a command. */
export type Cli = {
  readonly settings: Settings;
  readonly io: Io;
  readonly options: GlobalOptions;
  readonly table: readonly CommandRow[];
  /** The words of every command. */
  readonly commandWords: readonly (readonly string[])[];
  readonly version: string;
  readonly json: boolean;
  readonly project: ProjectFile | undefined;
  readonly profile: Profile;
  readonly profileName: string;
  /** Workspace and environment of the command: by option, environment, project or profile. */
  readonly workspace: string | undefined;
  readonly environment: string | undefined;
  /** The address of the control plane; an error says how to give one. */
  readonly url: () => string;
  /** The client with the credential, once. `anonymous` does without a credential. */
  readonly connect: () => Promise<CliConnection>;
  readonly anonymous: () => ControlClient;
};
