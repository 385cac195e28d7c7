-- An invitation that an API key asked for in a role that only people give: its code opens nothing until a person confirms it.
alter table invitations add column awaits_confirmation boolean not null default false;
comment on column invitations.awaits_confirmation is 'True until a person confirms an invitation of an API key; no code is mailed before.';
