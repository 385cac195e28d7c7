import type { FindingKind, FindingSeverity } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import type { NodeClass } from './node-classes.ts';

/** A finding at one node, by the node alone. */
export type Issue = {
  readonly kind: FindingKind;
  readonly severity: FindingSeverity;
  /** Id of the node; empty for the workflow. */
  readonly node: string;
  readonly subject: string;
  readonly evidence: Readonly<Record<string, unknown>>;
};

export type InventoryNode = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly class: NodeClass;
  readonly disabled: boolean;
  readonly destination: string | null;
  readonly credential_types: readonly string[];
  readonly credential_ids: readonly string[];
};

/** A call of another workflow; `workflow_id` is null if it is not constant. */
export type WorkflowCall = { readonly node: string; readonly workflow_id: string | null; readonly how: 'CALL' | 'ERROR' };

/** One version of a workflow. */
export type InspectedPart = {
  readonly version_id: string | null;
  readonly nodes: readonly InventoryNode[];
  /** Node ids: `from` runs `to`, or an agent uses `to` as a tool. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly type: string }[];
  readonly calls: readonly WorkflowCall[];
  /** Nodes that anyone can start the workflow with. */
  readonly open_triggers: readonly string[];
  readonly issues: readonly Issue[];
};

/** The stored inventory of a workflow. `published` is null if nothing is published, or if the draft is what is published. */
export type Inventory = { readonly draft: InspectedPart; readonly published: InspectedPart | null };
