-- Approvals name people besides roles, go on to another role after a time, are handed over, asked about, worded anew by who approves, and
-- withdrawn by who asked.
alter table approvals
  add column approver_groups jsonb,
  add column escalates_at timestamptz,
  add column reminded_at timestamptz,
  add column wording integer not null default 1,
  add column questions_asked integer not null default 0,
  add column open_question integer;
alter table approvals
  add constraint approvals_are_worded check (wording >= 1),
  add constraint approvals_have_groups_in_a_list check (approver_groups is null or jsonb_typeof(approver_groups) = 'array');
comment on column approvals.approver_groups is
  'Who is asked beside the people of each of approver_roles, in their order. Null where nobody is, and in approvals from before this was asked.';
comment on column approvals.escalates_at is 'When the next of its groups is widened by another role. Null where none is any more.';
comment on column approvals.reminded_at is 'When those were reminded who may decide. Null until then.';
comment on column approvals.wording is 'Number of the wording that is voted on; 1 is what was asked.';
comment on column approvals.open_question is 'Number of the question that waits for its answer. Null where none does.';
create index approvals_to_escalate on approvals (escalates_at) where status = 'PENDING' and escalates_at is not null;
grant select (escalates_at, reminded_at, requested_at) on approvals to svc_identity;
grant select (id, status, wording, open_question, expires_at) on approvals to svc_recorder;
grant update (decided_at, open_question) on approvals to svc_gateway;

-- A vote is for one wording.
alter table approval_votes add column wording integer not null default 1;
alter table approval_votes drop constraint approval_votes_pkey;
alter table approval_votes add constraint approval_votes_pkey primary key (organization_id, approval_id, user_id, wording);

create table approval_handovers (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  approval_id text not null,
  from_user_id text not null,
  to_user_id text not null,
  comment text,
  handed_over_at timestamptz not null,
  primary key (organization_id, approval_id, from_user_id),
  constraint approval_handovers_belong_to_an_approval foreign key (organization_id, approval_id) references approvals (organization_id, id),
  constraint approval_handovers_are_to_somebody_else check (from_user_id <> to_user_id)
);
comment on table approval_handovers is 'Who votes in whose stead on one approval. Nobody takes it back.';
select svc_guard('approval_handovers', array['svc_app']);
grant select, insert on approval_handovers to svc_app;

create table approval_questions (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  approval_id text not null,
  question_number integer not null,
  asked_by text not null,
  question text not null,
  asked_at timestamptz not null,
  answered_by_type text,
  answered_by_id text,
  answer text,
  answered_at timestamptz,
  primary key (organization_id, approval_id, question_number),
  constraint approval_questions_belong_to_an_approval foreign key (organization_id, approval_id) references approvals (organization_id, id),
  constraint approval_questions_are_answered_whole check (num_nulls(answered_by_type, answered_by_id, answer, answered_at) in (0, 4))
);
comment on table approval_questions is 'What approvers asked whoever wants the action, and the answer, which is another''s text wherever an agent wrote it.';
select svc_guard('approval_questions', array['svc_app', 'svc_gateway']);
grant select, insert on approval_questions to svc_app;
grant select on approval_questions to svc_gateway;
grant update (answered_by_type, answered_by_id, answer, answered_at) on approval_questions to svc_app, svc_gateway;

create table approval_wordings (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  approval_id text not null,
  wording integer not null,
  parameters json not null,
  amount bigint,
  request_hash bytea not null,
  edited_by text,
  edited_at timestamptz,
  primary key (organization_id, approval_id, wording),
  constraint approval_wordings_belong_to_an_approval foreign key (organization_id, approval_id) references approvals (organization_id, id),
  constraint approval_wordings_are_edited_whole check (num_nulls(edited_by, edited_at) in (0, 2))
);
comment on table approval_wordings is 'The request as it was asked and as approvers narrowed it, from the first time somebody did.';
comment on column approval_wordings.edited_by is 'Null of what was asked.';
select svc_guard('approval_wordings', array['svc_app', 'svc_gateway']);
grant select, insert on approval_wordings to svc_app;
grant select on approval_wordings to svc_gateway;
