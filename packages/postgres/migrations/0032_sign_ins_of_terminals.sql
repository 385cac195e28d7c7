-- Sign-ins of the command line. What asks belongs to nobody until a person decides on it, so it is two tables: what a stranger asks, which
-- only whoever looks up credentials sees, and what a person decided, which is their organization's.
create table cli_requests (
  id text primary key,
  flow text not null check (flow in ('LOOPBACK', 'DEVICE')),
  code_challenge text not null,
  redirect_port integer,
  hostname text,
  platform text,
  version text,
  user_code_hash bytea not null,
  source_ip text not null,
  address_group text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  poll_after timestamptz not null,
  poll_seconds integer not null,
  constraint cli_requests_user_code_is_unique unique (user_code_hash),
  constraint cli_requests_loopback_has_a_port check ((flow = 'LOOPBACK') = (redirect_port is not null))
);
create index cli_requests_by_address on cli_requests (address_group, expires_at);
create index cli_requests_by_end on cli_requests (expires_at);
comment on table cli_requests is 'What a terminal asks: to be signed in by a person in a browser. Only the keyed hash of the code that people compare is kept.';
comment on column cli_requests.poll_after is 'Before this moment a terminal asks too soon, and then has to wait longer each time.';

create table cli_decisions (
  organization_id text not null references organizations (id),
  request_id text not null,
  user_id text not null,
  session_id text not null,
  is_approved boolean not null,
  code_hash bytea,
  decided_at timestamptz not null,
  redeemed_at timestamptz,
  primary key (organization_id, request_id),
  constraint cli_decisions_are_once unique (request_id),
  constraint cli_decisions_are_of_a_request foreign key (request_id) references cli_requests (id) on delete cascade,
  constraint cli_decisions_are_of_a_session foreign key (organization_id, session_id) references sessions (organization_id, id)
);
comment on table cli_decisions is 'That a person approved or denied what a terminal asked, in the organization of the session it was decided in.';

select svc_guard('cli_decisions', array['svc_app']);
create policy cli_decisions_looked_up on cli_decisions for select to svc_identity using (true);
grant select, insert, update (redeemed_at) on cli_decisions to svc_app;
grant select on cli_decisions to svc_identity;
grant select, insert, delete, update (poll_after, poll_seconds) on cli_requests to svc_identity;

-- A terminal's session knows the sign-in of the browser that approved it, also when it is switched to another organization, so that whoever
-- ends that sign-in can end the terminals with it.
alter table sessions add column approved_by_sign_in_id text;
comment on column sessions.approved_by_sign_in_id is 'The sign-in that approved this session of a terminal; null for every other session.';
alter table ended_sign_ins add column with_terminals boolean not null default false;
comment on column ended_sign_ins.with_terminals is 'Whether the terminals that the sign-in approved ended with it.';
