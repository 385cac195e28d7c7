import type { KeyObject } from 'node:crypto';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { CodeAssist } from './code-assist/asking/open-code-assist.ts';
import type { ToolImports } from './tool-imports/arriving/open-tool-imports.ts';

/** Dependencies of the handlers of tools. */
export type ToolsDeps = {
  readonly settings: {
    readonly egress: { readonly allowCidrs: readonly string[] };
    /** The built-in receiver, which tools may call at any address. */
    readonly sandboxOrigin: string | undefined;
    readonly credentialsOverHttp: boolean;
  };
  readonly pipeline: Ports;
  /** Fetches and parses the documents that propose tools. */
  readonly toolImports: ToolImports;
  /** Undefined while code assist is off. */
  readonly codeAssist: CodeAssist | undefined;
  /** Seals the data keys of organizations. */
  readonly credentialKey: KeyObject;
};
