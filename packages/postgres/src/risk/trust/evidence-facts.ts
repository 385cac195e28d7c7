import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type RawBuilder, sql } from 'kysely';

const { evidenceReadMax, expiredShownDays } = LIMITS.trust;

/** True while the agent `a` still has the key or the artifact that the evidence `v` is about. */
export const bindingCondition = (v: RawBuilder<unknown>, a: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  case ${v}.bound_by when 'AGENT_ID' then true
    when 'ARTIFACT' then ${v}.bound_to = any(${a}.artifact_digests)
    else exists (select from agent_keys bk where bk.organization_id = ${a}.organization_id and bk.agent_id = ${a}.id
                    and bk.generation = ${a}.key_generation and bk.retired_at is null and bk.thumbprint = ${v}.bound_to) end`;

/**
 * Selects evidence about the agent `a` for decisions: pieces that are not revoked, the latest expiry first, so that none in force is cut
 * off. Recently expired pieces are included, for refusals to name.
 */
export const evidenceFacts = (a: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  coalesce((select json_agg(json_build_object('id', v.id, 'provider_id', v.provider_id, 'kind', v.kind, 'level', v.level, 'is_lowering', v.is_lowering,
      'is_bound', ${bindingCondition(sql`v`, a)},
      'issued_at', to_char(v.issued_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'expires_at', to_char(v.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by v.expires_at desc, v.id)
    from (select e.id, e.provider_id, e.kind, e.level, e.is_lowering, e.bound_by, e.bound_to, e.issued_at, e.expires_at
            from trust_evidence e where e.organization_id = ${a}.organization_id and e.agent_id = ${a}.id and e.revoked_at is null
             and e.expires_at > statement_timestamp() - make_interval(days => ${expiredShownDays})
           order by e.expires_at desc, e.id limit ${evidenceReadMax}) v), '[]')`;

/** Ids of the disabled providers of an organization. Their number is bounded by that of all providers. */
export const disabledProviders = (organizationId: string): RawBuilder<readonly string[]> => sql`
  array(select p.id from trust_providers p where p.organization_id = ${organizationId} and p.disabled_at is not null)`;
