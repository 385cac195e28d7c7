/** Recipients of a tool's input. */
export const REACHES = ['INTERNAL', 'EXTERNAL', 'PUBLIC'] as const;
export type Reach = (typeof REACHES)[number];

/** Effects of an action outside this service. */
export const SIDE_EFFECTS = ['NONE', 'REVERSIBLE', 'IRREVERSIBLE'] as const;
export type SideEffects = (typeof SIDE_EFFECTS)[number];

/** The labels that count for a request: everything the agent read, or what it read in the context of its session. */
export const CONTEXT_SCOPES = ['AGENT', 'CONTEXT'] as const;
export type ContextScope = (typeof CONTEXT_SCOPES)[number];

/** Pattern of a label. Every label but `untrusted_content` is one of confidentiality. */
export const LABEL_PATTERN = '^[a-z][a-z0-9_]{0,31}$';

/** Declaration by a person of the data that flows through a tool. */
export type ToolFlow = {
  readonly labels: readonly string[];
  readonly reach: Reach | null;
  /** JSON Pointers to the subjects of the data, who may therefore receive it. */
  readonly readers_from: readonly string[];
  /** Hosts that may receive it. */
  readonly readers: readonly string[];
  readonly recipient_from: string | null;
  readonly record_from: string | null;
  readonly side_effects: SideEffects | null;
  /** JSON Pointers to the key under which a request stores data, and to the key whose data it reads. */
  readonly store_key_from: string | null;
  readonly load_key_from: string | null;
};
