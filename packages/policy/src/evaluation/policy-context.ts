import type { EnvironmentType, Mode, PrincipalType, RiskRating, ToolKind } from '@svc/contract/tables/vocabulary.ts';
import type { LocalTime } from '../values/local-time.ts';

/** The known values of a request. Every part may be absent; an absent value makes the conditions on it unknown. Null counts as absent. */
export type PolicyContext = {
  readonly principal?: { readonly type?: PrincipalType; readonly id?: string };
  readonly agent?: {
    readonly id?: string;
    readonly name?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly capabilities?: readonly string[];
    readonly created_days?: number;
  };
  readonly environment?: { readonly type?: EnvironmentType; readonly mode?: Mode };
  readonly workspace?: { readonly id?: string };
  readonly tool?: {
    readonly name?: string;
    readonly capability?: string;
    readonly risk_rating?: RiskRating;
    readonly dangerous?: boolean;
    readonly kind?: ToolKind;
    readonly reach?: string | undefined;
    readonly labels?: readonly string[] | undefined;
    readonly side_effects?: string;
  };
  readonly capability?: string;
  /** Minor units of the currency of the current version. */
  readonly amount?: number;
  /** For versions in several currencies: the amount in each of them; a missing one is unknown. */
  readonly amounts?: ReadonlyMap<string, number>;
  readonly currency?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly destination?: { readonly host?: string; readonly port?: number; readonly ip?: string; readonly internal?: boolean };
  readonly delegation?: { readonly depth?: number; readonly root_principal?: string };
  readonly approval?: { readonly present?: boolean };
  readonly time?: Partial<LocalTime>;
  readonly request?: {
    readonly source_ip?: string;
    readonly sdk_name?: string;
    readonly runtime_kind?: string;
    readonly runtime_enforcement?: string;
  };
  /** `amount_24h` is in minor units of the currency of the current version. */
  readonly velocity?: {
    readonly calls_1m?: number;
    readonly calls_1h?: number;
    readonly calls_24h?: number;
    readonly amount_24h?: number;
  };
  /** For versions in several currencies: `velocity.amount_24h` in each of them. */
  readonly velocity_amounts?: ReadonlyMap<string, number>;
  /** `complete` is false if a signal could not be evaluated: the score is then a lower bound. */
  readonly risk?: { readonly score?: number; readonly level?: string; readonly complete?: boolean; readonly signals?: readonly string[] };
  /** Data that the agent may have. */
  readonly session?: {
    readonly labels?: readonly string[];
    readonly labels_leaving?: readonly string[];
    readonly sources?: readonly string[];
    readonly tools_used?: readonly string[];
    readonly minutes?: number;
    readonly is_tools_partial?: boolean;
  };
  readonly trust?: { readonly level?: number; readonly evidence?: readonly string[] };
};
