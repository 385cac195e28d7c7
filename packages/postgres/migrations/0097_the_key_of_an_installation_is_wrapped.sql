-- Every key of an installation is derived from one, and that one is kept here, wrapped under the master key: whoever changes the master key wraps
-- it anew, and nothing that is sealed is touched. While it is changed there are two rows that open it.
create table installation_keys (
  id text primary key,
  kind text not null,
  wrapped bytea,
  made_at timestamptz not null default clock_timestamp(),
  made_by text not null,
  reason text not null,
  retired_at timestamptz,
  retired_by text,
  constraint installation_keys_kind_is_known check (kind in ('KEY', 'COMMAND')),
  -- What is retired opens nothing, and is kept to be told and to be refused.
  constraint installation_keys_are_gone_when_retired check ((wrapped is null) = (retired_at is not null)),
  constraint installation_keys_are_retired_by_somebody check ((retired_by is null) = (retired_at is null))
);
comment on table installation_keys is 'The key of the installation, wrapped under the master key, and which master keys there were.';
comment on column installation_keys.id is 'Tells one master key from another, and nothing of it.';
comment on column installation_keys.kind is 'KEY: wrapped here under a master key that is known here. COMMAND: wrapped by an external command.';
comment on column installation_keys.wrapped is 'The wrapped key; null once the master key is retired.';
