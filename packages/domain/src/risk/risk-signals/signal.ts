import type { SignalName } from '@svc/contract/risk/signal-table.ts';
import type { RiskRating, ToolKind } from '@svc/contract/tables/vocabulary.ts';
import type { Conduct } from '../conduct/conduct.ts';
import type { Mark } from '../conduct/mark.ts';
import type { RiskRules } from '../risk-settings/resolve-settings.ts';

/** A name of a request, with its mark in histories. */
export type Marked = { readonly name: string; readonly mark: Mark };

/** Recent calls of an agent in this process, which its aggregated history may not contain yet. */
export type RecentCalls = {
  readonly calls: number;
  readonly refusedInRow: number;
  readonly refusedNames: number;
  /** Names of flow contexts in which the agent acted. */
  readonly contexts: ReadonlySet<string>;
};

export type SignalFacts = {
  readonly nowMs: number;
  readonly localHour: number;
  readonly isWeekend: boolean;
  readonly rules: RiskRules;
  /** Null if the history is not known: the worker is behind. */
  readonly conduct: Conduct | null;
  readonly recent: RecentCalls;
  /** A partial request has no tool. */
  readonly tool: (Marked & { readonly kind: ToolKind; readonly risk_rating: RiskRating; readonly changedAt: string | null }) | null;
  /** True if the agent was authorized for the tool in the last 24 hours. */
  readonly isNewlyAuthorized: boolean;
  /** False if the request does not leave the organization, or has no destination. */
  readonly isOutgoing: boolean;
  readonly destination: (Marked & { readonly isInternal: boolean }) | null;
  /** Network of the caller; null if there is no caller. */
  readonly network: (Marked & { readonly isNamed: boolean }) | null;
  readonly record: Marked | null;
  /** In minor units of the base currency. */
  readonly amount: { readonly value: number; readonly currency: string } | null;
  readonly key: { readonly generation: number; readonly createdAt: string } | null;
  readonly parameters: Readonly<Record<string, unknown>> | null;
  readonly parametersSchema: Readonly<Record<string, unknown>>;
};

/** Evidence of a signal. `subject` is what exceptions name. */
export type Fired = {
  readonly isHigher?: boolean;
  readonly subject: string;
  readonly sentence: string;
  readonly evidence: Readonly<Record<string, unknown>>;
};

/** The history that the signal needs is not known. */
export const UNKNOWN = 'unknown';

export type SignalDefinition = {
  readonly name: SignalName;
  readonly look: (facts: SignalFacts) => Fired | undefined | typeof UNKNOWN;
};
