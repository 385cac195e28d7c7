import type { PolicySource } from '../judge/compile-version.ts';

/** The values that a scope allows for a field: one value, or any but some. */
export type ScopeBounds = { readonly only?: string; readonly not?: readonly string[] };

/** Requests that meet the same policies: those of one agent, of all others in its environment, and so on. */
export type ProofScope = {
  /** Name for people. */
  readonly name: string;
  /** All policies that are bound there, and nothing else. */
  readonly versions: readonly PolicySource[];
  /** Keyed by field name: environment.type, workspace.id, agent.id. */
  readonly bounds: Readonly<Record<string, ScopeBounds>>;
};
