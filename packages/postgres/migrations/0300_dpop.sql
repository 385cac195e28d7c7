-- An agent may be held to proofs of possession (RFC 9449). Each proof is used once, on whichever gateway.
alter table agents add column require_dpop boolean not null default false;
comment on column agents.require_dpop is 'True if its tokens are bound to a key, and sign-ins without a proof are refused.';

create table dpop_proofs (
  organization_id text not null references organizations (id),
  proof_hash text not null,
  expires_at timestamptz not null,
  primary key (organization_id, proof_hash)
);
create index dpop_proofs_by_end on dpop_proofs (organization_id, expires_at);
comment on table dpop_proofs is 'Digests of proofs that were used, until none of them would be accepted again.';
select svc_guard('dpop_proofs', array['svc_app', 'svc_gateway']);
grant select, delete on dpop_proofs to svc_app;
grant select, insert, update, delete on dpop_proofs to svc_gateway;
