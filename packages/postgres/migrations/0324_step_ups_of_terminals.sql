-- A step-up of a terminal's session that its person gives in a browser, such as by a passkey. A session has at most one request, which ends
-- when it is used, replaced or expired; expand only.
alter table sessions
  add column step_up_requested_at timestamptz,
  add column step_up_requested_from text,
  add column step_up_request text,
  add constraint sessions_step_up_request_is_whole
    check (num_nulls(step_up_requested_at, step_up_requested_from, step_up_request) in (0, 3));
comment on column sessions.step_up_request is 'Random value from which the code of the pending step-up request derives; null without one.';
comment on column sessions.step_up_requested_from is 'Source address of the pending step-up request.';
