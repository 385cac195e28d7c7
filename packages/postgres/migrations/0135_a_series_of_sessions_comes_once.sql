-- A series of sessions that was given is never given again, as an epoch is not: a token of a series that went with the former server of the
-- database would live again as soon as as many kills were made anew.
alter table agents alter column session_series type bigint;
alter table agent_sessions alter column series type bigint;
comment on column agents.session_series is
  'Moves when every session is killed, as an epoch does, so that none comes twice; a token carries the series it was minted in.';
