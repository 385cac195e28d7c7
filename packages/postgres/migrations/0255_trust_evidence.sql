-- Providers of trust evidence, the evidence about agents, and the levels that environments and tools require. A provider never changes: it is
-- registered, and disabled once. Decisions compare expiries with their own clock, so no job has to run for evidence to end.
create table trust_providers (
  organization_id text not null,
  id text not null,
  name text not null,
  kind text not null,
  keys jsonb not null default '[]',
  identities jsonb not null default '[]',
  trusted_root jsonb,
  evidence_kinds text[] not null,
  max_level integer not null,
  independent boolean not null default false,
  created_by text not null,
  created_at timestamptz not null,
  disabled_at timestamptz,
  disabled_by text,
  disabled_reason text,
  is_revoking boolean not null default false,
  primary key (organization_id, id),
  constraint trust_providers_kind_is_known check (kind in ('KEYS', 'SIGSTORE', 'MANUAL')),
  constraint trust_providers_level_is_one check (max_level between 1 and 4),
  constraint trust_providers_disabled_for_a_reason check ((disabled_at is null) = (disabled_reason is null) and (disabled_at is null) = (disabled_by is null))
);
comment on table trust_providers is 'Providers whose evidence about agents counts: keys, identities of a signing service, or people.';
comment on column trust_providers.keys is 'Public JSON Web Keys, each with its kid.';
comment on column trust_providers.identities is 'Identities of certificates that are compared exactly: issuer, and subject or a prefix of it.';
comment on column trust_providers.trusted_root is 'Certificate authorities and logs of the signing service.';
comment on column trust_providers.independent is 'Its key is held by no member of the organization, as the person who registered it stated.';
comment on column trust_providers.is_revoking is 'True until a job has revoked the evidence of a disabled provider. Its evidence counts for nothing meanwhile.';
create unique index trust_providers_name_is_unique on trust_providers (organization_id, name) where disabled_at is null;
create index trust_providers_revoking on trust_providers (organization_id) where is_revoking;

create table trust_evidence (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  agent_id text not null,
  provider_id text not null,
  kind text not null,
  format text not null,
  result text,
  level integer not null,
  is_lowering boolean not null,
  bound_by text not null,
  bound_to text,
  document text,
  document_hash text not null,
  proof jsonb not null,
  note text not null default '',
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  added_by_type text not null,
  added_by_id text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by text,
  revoked_reason text,
  notice_due_at timestamptz,
  primary key (organization_id, id),
  constraint trust_evidence_is_about_an_agent foreign key (organization_id, agent_id) references agents (organization_id, id),
  constraint trust_evidence_has_a_provider foreign key (organization_id, provider_id) references trust_providers (organization_id, id),
  constraint trust_evidence_is_added_once unique (organization_id, agent_id, document_hash),
  constraint trust_evidence_kind_is_known check (kind in
    ('attestation', 'security_review', 'certificate', 'test_result', 'provenance', 'sbom', 'vex', 'agent_card', 'model_card')),
  constraint trust_evidence_format_is_known check (format in ('NONE', 'JWS', 'DSSE', 'SIGSTORE_BUNDLE')),
  constraint trust_evidence_result_is_known check (result in ('PASSED', 'FAILED')),
  constraint trust_evidence_level_is_one check (level between 0 and 4),
  constraint trust_evidence_bound_by_is_known check (bound_by in ('AGENT_ID', 'AGENT_KEY', 'ARTIFACT')),
  constraint trust_evidence_bound_to_something check ((bound_by = 'AGENT_ID') = (bound_to is null)),
  constraint trust_evidence_revoked_for_a_reason check ((revoked_at is null) = (revoked_reason is null) and (revoked_at is null) = (revoked_by is null))
);
comment on table trust_evidence is 'Evidence about agents. Verified facts never change; a piece is revoked once.';
comment on column trust_evidence.is_lowering is 'A failed result or an open vulnerability: while it is in force, the level of the agent is at most 1.';
comment on column trust_evidence.bound_to is 'Thumbprint of the key of the agent, or digest of its artifact. The piece counts only while the agent has it.';
comment on column trust_evidence.document is 'The signed document as it was sent; null for a statement by a person.';
comment on column trust_evidence.document_hash is 'SHA-256 in hex of the signed statement. No statement is added twice for one agent, in any envelope, also after it was revoked.';
comment on column trust_evidence.proof is 'Verified facts: key or identity, log entry and type of the statement.';
comment on column trust_evidence.notice_due_at is 'When the next event about its expiry is due; null if none is left.';
create index trust_evidence_of_an_agent on trust_evidence (organization_id, agent_id, expires_at);
create index trust_evidence_by_provider on trust_evidence (organization_id, provider_id) where revoked_at is null;
create index trust_evidence_due on trust_evidence (notice_due_at) where notice_due_at is not null;

-- Artifacts that an agent consists of, and the least evidence that environments and tools require.
alter table agents add column artifact_digests text[] not null default '{}';
comment on column agents.artifact_digests is 'SHA-256 digests in hex of what the agent consists of, such as its image. Evidence about an artifact names one of them.';
alter table environments add column requires_trust jsonb;
comment on column environments.requires_trust is 'Trust evidence that every action in the environment requires; null if none.';
alter table tools add column requires_trust jsonb;
comment on column tools.requires_trust is 'Trust evidence that every action with the tool requires; null if none.';

-- A change of evidence moves the epoch of its agent. When notices are due is nothing that decisions read.
create function svc_trust_evidence_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'notice_due_at' = to_jsonb(old) - 'notice_due_at' then
    return null;
  end if;
  perform svc_bump_agent(coalesce(new.organization_id, old.organization_id), coalesce(new.agent_id, old.agent_id));
  return null;
end $$;
revoke all on function svc_trust_evidence_changed from public;
create trigger trust_evidence_moves_the_epoch after insert or update or delete on trust_evidence
  for each row execute function svc_trust_evidence_changed();

-- Disabling a provider binds every decision of the organization at once: its environments hold the disabled providers.
create function svc_trust_provider_changed() returns trigger language plpgsql as $$
begin
  if new.disabled_at is not distinct from old.disabled_at then
    return null;
  end if;
  perform svc_bump_environment(e.organization_id, e.environment_id) from (
    select organization_id, environment_id from environment_epochs
     where organization_id = new.organization_id order by environment_id) e;
  return null;
end $$;
revoke all on function svc_trust_provider_changed from public;
create trigger disabled_trust_provider_moves_the_epochs after update on trust_providers
  for each row execute function svc_trust_provider_changed();

create trigger changed_trust_provider_is_noted after insert or delete or update of name, kind, keys, identities, trusted_root, evidence_kinds, max_level,
  independent, created_by, created_at, disabled_at, disabled_by, disabled_reason
  on trust_providers for each row execute function svc_note_changed_record('trust_provider', 'organization_id', 'id');
create trigger changed_trust_evidence_is_noted after insert or delete or update of workspace_id, environment_id, agent_id, provider_id, kind, format,
  result, level, is_lowering, bound_by, bound_to, document_hash, proof, note, issued_at, expires_at, added_by_type, added_by_id, created_at,
  revoked_at, revoked_by, revoked_reason
  on trust_evidence for each row execute function svc_note_changed_record('trust_evidence', 'organization_id', 'id');

select svc_guard('trust_providers', array['svc_app', 'svc_gateway']);
select svc_guard('trust_evidence', array['svc_app', 'svc_gateway']);
grant select, insert, update, delete on trust_providers, trust_evidence to svc_app;
grant select (organization_id, id, disabled_at) on trust_providers to svc_gateway;
grant select (organization_id, id, agent_id, provider_id, kind, level, is_lowering, bound_by, bound_to, issued_at, expires_at, revoked_at)
  on trust_evidence to svc_gateway;

-- Jobs find what is due in all organizations, and nothing else of it.
create policy trust_evidence_that_is_due on trust_evidence for select to svc_identity using (true);
grant select (organization_id, notice_due_at) on trust_evidence to svc_identity;
create policy trust_providers_that_are_revoking on trust_providers for select to svc_identity using (true);
grant select (organization_id, is_revoking) on trust_providers to svc_identity;
