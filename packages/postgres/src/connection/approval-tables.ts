import type { ApprovalStatus, PrincipalType } from '@svc/contract/tables/vocabulary.ts';
import type { ColumnType, Generated } from 'kysely';
import type { MaybeTime, Tenant, Time } from './column-types.ts';

/** Approvals and the votes on them. */
export type ApprovalTables = {
  approvals: Tenant & {
    id: string;
    action_id: string;
    agent_id: string;
    environment_id: string;
    workspace_id: string;
    status: Generated<ApprovalStatus>;
    request_hash: Buffer;
    requested_by_type: PrincipalType;
    requested_by_id: string;
    approver_roles: string[];
    role_quorums: ColumnType<number[] | null, number[] | null | undefined, number[] | null>;
    quorum: number;
    step_up: boolean;
    reason: string;
    denial_reason: string | null;
    requested_at: Time;
    expires_at: Time;
    decided_at: MaybeTime;
    consumed_at: MaybeTime;
    consumed_by_key: string | null;
    consumed_by_hash: Buffer | null;
    consumed_request_id: string | null;
    consumed_trace_id: string | null;
    approved_by: string[] | null;
  };
  approval_votes: Tenant & { approval_id: string; user_id: string; vote: 'APPROVE' | 'DENY'; comment: string | null; voted_at: Time };
};
