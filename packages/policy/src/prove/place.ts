import type { PolicySource } from '../judge/compile-version.ts';

/** What a place lets a field be: one value, or any but some. */
export type Bounds = { readonly only?: string; readonly not?: readonly string[] };

/** Requests that meet the same policies: those of one agent, of all others in its environment, and so on. */
export type Place = {
  /** In words, for people. */
  readonly name: string;
  /** All that binds there, and nothing else. */
  readonly versions: readonly PolicySource[];
  /** By the names of fields: environment.type, workspace.id, agent.id. */
  readonly bounds: Readonly<Record<string, Bounds>>;
};
