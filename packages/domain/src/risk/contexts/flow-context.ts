import type { Reach, ToolFlow } from '@svc/contract/risk/flow-words.ts';

export type { Reach, ToolFlow };

/** The label of integrity. All others are of confidentiality. */
export const UNTRUSTED = 'untrusted_content';
export const isConfidential = (label: string): boolean => label !== UNTRUSTED;

export const NO_FLOW: ToolFlow = {
  labels: [],
  reach: null,
  readers_from: [],
  readers: [],
  recipient_from: null,
  record_from: null,
  side_effects: null,
  store_key_from: null,
  load_key_from: null,
};

/** The origin of a label. `readers` are marks of people as text; null if the data is about no one in particular. */
export type FlowSource = {
  readonly label: string;
  readonly tool: string;
  readonly host: string | null;
  readonly readers: readonly string[] | null;
  readonly hosts: readonly string[];
  readonly action_id: string;
  readonly at: string;
};

export type FlowContext = {
  readonly id: string;
  /** Name that the assertion gives it, or one of the two keys in `context-name.ts`. */
  readonly name: string;
  readonly labels: readonly string[];
  readonly sources: readonly FlowSource[];
  readonly tools_used: readonly string[];
  readonly is_overflowing: boolean;
  readonly started_at: string;
  readonly last_used_at: string;
};

export const SOURCES_MAX = 32;
export const TOOLS_USED_MAX = 128;
