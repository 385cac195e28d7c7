import type { AuditSubject } from '@svc/contract/audit-subjects.ts';
import type { EndpointName } from '@svc/contract/endpoints.ts';
import type { PathParameter } from '@svc/contract/tables/path-parameters.ts';
import type { TestAgent } from '@svc/testing/agents/agent.ts';
import type { Tenant } from '@svc/testing/people/tenant.ts';
import type { Recipes } from './scene/play.ts';

/** One resource of each kind that a path can name. */
export type Resources = Readonly<Record<PathParameter, string>>;

/** Destination of a body, and a unique number. */
export type BodyContext = {
  readonly made: number;
  readonly tenant: Tenant;
  readonly agent: TestAgent;
  readonly resources: Resources;
};

export type Bodies = Partial<Record<EndpointName, Record<string, unknown>>>;

export type OwnerSession = { readonly controlUrl: string; readonly token: string; readonly environment_id: string };
export type NounTestScope = { readonly workspace_id?: string; readonly environment_id?: string };

/** Facts about a noun for tests over all endpoints. */
export type NounTests = {
  /**
   * Creates one and returns its id by path parameter. Names and descriptions contain `word`, which sweeps search for in responses to other
   * tenants. `within` limits it to a workspace and environment, if possible. Omitted if it needs more than an environment: such a noun is
   * created in `e2e/rows/setting.ts`, `e2e/attacks/place.ts` and `e2e/sweeps/canary-organization.ts`.
   */
  readonly one?: (owner: OwnerSession, word: string, within: NounTestScope) => Promise<Readonly<Record<string, string>>>;
  /** Values of path parameters without an id. */
  readonly words?: Partial<Resources>;
  /** A body that each operation with one accepts. Names use `made`, so that they do not collide. */
  readonly bodies?: (context: BodyContext) => Bodies;
  /** For each operation that changes something: requests that together write every event listed in its row. */
  readonly recipes?: Partial<Recipes>;
  /** SQL by audit subject that selects organization, workspace and environment of the row with id $1; null if no row has them. */
  readonly scopes?: Partial<Record<AuditSubject, string | null>>;
};

export const reason = 'because';

/** All members of a union of objects as one object. */
export type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void ? All : never;
