import type { Effect, EnvironmentType, Mode, PrincipalType, RiskRating, ToolKind } from '@svc/contract/tables/vocabulary.ts';
import type { RateTable } from '@svc/domain/money/fx-rates/rate-table.ts';

/** What is kept of one decision, as far as rules can ask for it. */
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

/** What was not kept with the action and is read as it stands today. Undefined where it is not there any more. */
export type AsOfToday = {
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
