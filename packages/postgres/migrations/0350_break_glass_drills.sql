-- Practice of emergency access. A drill is never ACTIVE and names no session, so that a program of an earlier release gives it no permission.
alter table break_glass_grants add column drill boolean not null default false;
alter table break_glass_grants add constraint break_glass_grants_drills_give_nothing check (not drill or (status <> 'ACTIVE' and session_id = ''));
comment on column break_glass_grants.drill is 'True if it is practice, which gives no permission.';
