import type { Effect, EnvironmentType, Mode, PrincipalType, RiskRating, ToolKind } from '@svc/contract/tables/vocabulary.ts';
import type { RateTable } from '@svc/domain/money/fx-rates/rate-table.ts';

/** Stored facts of one decision that rules can read. */
export type RecordedAction = {
  readonly id: string;
  readonly created_at: string;
  readonly agent_id: string;
  readonly agent_name: string;
  readonly environment_id: string;
  readonly workspace_id: string;
  readonly tool: string;
  readonly tool_id: string | null;
  readonly principal_type: PrincipalType;
  readonly principal_id: string;
  readonly mode: Mode;
  readonly decision: Effect;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly destination: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly explanation: unknown;
};

/** Facts that were not stored with the action and are read from the current state. Undefined if they no longer exist. */
export type CurrentFacts = {
  readonly now: Date;
  readonly environment_type: EnvironmentType | undefined;
  readonly base_currency: string;
  readonly time_zone: string;
  readonly rates: RateTable;
  readonly agent:
    | { readonly labels: Readonly<Record<string, string>>; readonly capabilities: readonly string[]; readonly created_at: string }
    | undefined;
  readonly tool:
    | { readonly required_capability: string; readonly risk_rating: RiskRating; readonly dangerous: boolean; readonly kind: ToolKind }
    | undefined;
};
