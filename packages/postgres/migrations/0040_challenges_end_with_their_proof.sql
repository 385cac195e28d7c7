-- A challenge rests on a first factor, and ends with the epoch under which that was proved.
alter table mfa_challenges add column epoch integer not null default 0;
comment on column mfa_challenges.epoch is 'As sessions.epoch: the session it becomes is of it, and is none when the password was changed meanwhile.';
