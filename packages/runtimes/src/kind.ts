import type { CapabilityRow, Connection, RuntimeSettings } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import type {
  AdminAccess,
  ConnectionHealth,
  EnforcementStatus,
  EvidenceName,
  FindingKind,
  FindingSeverity,
  RunStep,
  RuntimeKind,
} from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import type { NeededEvidence } from '@svc/domain/runtimes/runtimes/assess-enforcement.ts';

/** The answer of an instance to one request. */
export type InstanceAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly json: unknown;
      readonly date: string | null;
      readonly bytes: number;
      readonly ms: number;
    }
  | {
      readonly kind: 'failed';
      readonly why: 'DISABLED' | 'UNREACHABLE' | 'TIMEOUT' | 'TOO_LARGE' | 'NO_CREDENTIAL';
      readonly detail: string;
    };

export type InstanceRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query, below the address of the instance. */
  readonly path: string;
  readonly body?: unknown;
  readonly timeoutMs?: number;
  /** Sends no API key. */
  readonly isAnonymous?: true;
};

/** Sends a request to the instance, with its API key and nothing else. */
export type SendToInstance = (request: InstanceRequest) => Promise<InstanceAnswer>;

/** An observation, before it is stored. */
export type NewEvidence = {
  readonly name: EvidenceName;
  readonly holds: boolean | null;
  readonly source: string;
  readonly detail: string;
  readonly data?: Readonly<Record<string, unknown>>;
};

/** A finding, before it is compared with the stored ones. */
export type FoundFinding = {
  readonly kind: FindingKind;
  readonly severity: FindingSeverity;
  readonly dormant: boolean;
  readonly contained_by: EvidenceName | null;
  readonly workflow: { readonly id: string; readonly name: string } | null;
  readonly node: { readonly id: string; readonly name: string; readonly type: string } | null;
  /** Distinguishes findings of one kind at one node. */
  readonly subject: string;
  /** An acceptance is bound to it. Contains no value of a parameter. */
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly via: readonly string[];
};

/** A workflow as it was inspected. */
export type InspectedWorkflow = {
  readonly workflow_id: string;
  readonly name: string;
  readonly active: boolean;
  readonly archived: boolean;
  readonly version_id: string | null;
  readonly active_version_id: string | null;
  readonly hash: string;
  readonly inventory: Readonly<Record<string, unknown>>;
};

/** The terms under which a runtime is inspected. */
export type InspectionTerms = {
  readonly settings: RuntimeSettings;
  readonly admin_access: AdminAccess;
  /** Origins of the gateway, such as https://gateway.example. */
  readonly gatewayOrigins: readonly string[];
  /** Origins of the control plane, which no workflow has a reason to call. */
  readonly controlOrigins: readonly string[];
  /** Address of the instance; null if it has none. */
  readonly baseUrl: string | null;
  /** Node types that the bundle allows; null if the instance is not deployed with one. */
  readonly bundledNodes: readonly string[] | null;
};

export type TestedConnection = Omit<Connection, 'tested_at' | 'health'> & {
  readonly health: ConnectionHealth;
  readonly evidence: readonly NewEvidence[];
  readonly remedy: string | null;
};

/** Stores test workflows before they are created, so that they are always removed. */
export type CanaryLedger = {
  readonly plan: (name: string, kind: EvidenceName) => Promise<void>;
  readonly created: (name: string, workflowId: string) => Promise<void>;
  readonly removed: (name: string, outcome: string) => Promise<void>;
  /** Test workflows that earlier steps or runs left. */
  readonly left: () => Promise<readonly { readonly name: string; readonly workflow_id: string | null }[]>;
};

/** State of a run between its steps; JSON. */
export type RunCursor = {
  /** Continues a list. */
  readonly page?: string;
  readonly pages?: number;
  /** Workflows that were listed, with their versions. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Ids that workflows call and no list contained. */
  readonly missing?: readonly string[];
  readonly findings?: readonly FoundFinding[];
  /** Credentials of the instance by id: their types. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Node types that the settings of the instance exclude, and those that they allow. */
  readonly excluded?: readonly string[];
  readonly included?: readonly string[];
  /** Active workflows whose published version the instance did not return. */
  readonly unread?: readonly string[];
  readonly rereads?: number;
};

export type StepContext = {
  readonly send: SendToInstance;
  readonly terms: InspectionTerms;
  readonly now: Date;
  readonly runId: string;
  readonly cursor: RunCursor;
  /** True if test workflows may be created. */
  readonly mayPlant: boolean;
  readonly canaries: CanaryLedger;
  /** Ids of workflows that the inspected ones call and that were not listed. */
  readonly unlisted: () => Promise<readonly string[]>;
  /** Returns those of these actions that the gateway recorded. */
  readonly recordedActions: (actionIds: readonly string[]) => Promise<readonly string[]>;
  readonly wait: (ms: number) => Promise<void>;
  /** A random text for addresses of test workflows. */
  readonly random: () => string;
};

export type StepOutcome =
  | {
      readonly kind: 'done';
      readonly next: RunStep;
      readonly cursor: RunCursor;
      readonly evidence?: readonly NewEvidence[];
      readonly workflows?: readonly InspectedWorkflow[];
      readonly connection?: TestedConnection;
    }
  /** The step is tried again. */
  | { readonly kind: 'again'; readonly why: string; readonly afterMs?: number }
  /** The run cannot go on. */
  | { readonly kind: 'failed'; readonly why: string; readonly connection?: TestedConnection };

/** The result of stopping work at an instance. */
export type Stopped = {
  readonly instance: 'CONFIRMED' | 'NOT_APPLIED' | 'UNREACHABLE';
  readonly deactivated: readonly string[];
  readonly not_applied: readonly { readonly workflow_id: string; readonly name: string; readonly why: string }[];
};

/** How work at an instance is stopped. */
export type Stopping = {
  /** True if running executions are stopped too. */
  readonly stopsRuns: boolean;
  /** The time from which no execution may start: the instance had time to stop. Null while it has. */
  readonly quietSince: Date | null;
};

/** Inspects the instances of a product over its API. */
export type InstanceDriver = {
  readonly apiKeyHeader: string;
  readonly firstStep: RunStep;
  readonly test: (send: SendToInstance, terms: InspectionTerms, now: Date) => Promise<TestedConnection>;
  readonly step: (step: RunStep, context: StepContext) => Promise<StepOutcome>;
  /** Returns the findings of all inspected workflows together. */
  readonly judge: (workflows: readonly InspectedWorkflow[], terms: InspectionTerms) => readonly FoundFinding[];
  /** Deactivates workflows and reads back which are active, and which executions go on. */
  readonly stop: (send: SendToInstance, stopping: Stopping) => Promise<Stopped>;
  readonly start: (send: SendToInstance, workflowIds: readonly string[]) => Promise<Stopped>;
};

/** A file of a report: its content is read once and not stored. */
export type ReportedFile = { readonly path: string; readonly scope?: string; readonly owner_is_root?: boolean; readonly content: string };

/** The reduced form of a file, which is stored. */
export type DigestedFile = {
  readonly path: string;
  readonly sha256: string;
  /** Format that it was read as; UNREADABLE if none. */
  readonly reading: string;
  readonly facts: Readonly<Record<string, unknown>>;
};

export type StoredReport = { readonly source: string; readonly at: string; readonly files: readonly DigestedFile[] };

/** Reads what clients, platforms and programs report about themselves. */
export type ReportReader = {
  readonly read: (product: string, file: ReportedFile) => DigestedFile;
  readonly inspect: (
    product: string,
    reports: readonly StoredReport[],
    terms: InspectionTerms,
  ) => { readonly evidence: readonly NewEvidence[]; readonly findings: readonly FoundFinding[] };
};

/** A kind of runtimes. */
export type RuntimeKindRow = {
  readonly kind: RuntimeKind;
  readonly products: readonly string[];
  readonly ceiling: EnforcementStatus;
  readonly needs: (settings: RuntimeSettings) => readonly NeededEvidence[];
  readonly capabilities: readonly CapabilityRow[];
  readonly inspection:
    | { readonly by: 'instance'; readonly driver: InstanceDriver }
    | { readonly by: 'reports'; readonly reader: ReportReader };
  /** Admin access that it cannot be verified with. */
  readonly refusesAccess?: AdminAccess;
};
