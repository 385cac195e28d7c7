-- A request of a terminal that is redeemed a second time was known to two: the session it gave ends.
alter table cli_decisions add column issued_session_id text;
comment on column cli_decisions.issued_session_id is 'The session that a terminal got for it; null until it is redeemed.';
grant update (issued_session_id) on cli_decisions to svc_app;
